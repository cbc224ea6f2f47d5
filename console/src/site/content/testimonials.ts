// Samples, to be replaced by what your own customers say before the site is public. Photos are files in
// public/testimonials (a square, 96 px or more).

export interface Testimonial {
  name: string;
  title: string;
  rating: 4 | 5;
  photo: string;
  text: string;
}

export const TESTIMONIALS: Testimonial[] = [
  {
    name: "Adaeze Okonkwo",
    title: "School administrator",
    rating: 5,
    photo: "/testimonials/1.svg",
    text: "When we close early, 1,800 parents know within minutes. I see who did not get it, and call them.",
  },
  {
    name: "Babatunde Adeyemi",
    title: "Owner, furniture shop",
    rating: 5,
    photo: "/testimonials/2.svg",
    text: "The price on the screen is the price I pay. I had never had that before.",
  },
  {
    name: "Halima Sani",
    title: "Clinic manager",
    rating: 4,
    photo: "/testimonials/3.svg",
    text: "Our reminders go out at seven every morning. Fewer patients miss their day.",
  },
  {
    name: "Emeka Nwosu",
    title: "Head of operations, logistics",
    rating: 5,
    photo: "/testimonials/4.svg",
    text: "I paste the whole dispatch sheet and it finds the numbers. It even tells me which ones are wrong.",
  },
  {
    name: "Funmilayo Bello",
    title: "Church secretary",
    rating: 4,
    photo: "/testimonials/5.svg",
    text: "Groups for the choir, the youth and the elders, each with its own messages. It just works.",
  },
];
