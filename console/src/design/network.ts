// Networks as people call them. The daemon's names are lower case, and there may be others than these.
const NAMES: Record<string, string> = {
  mtn: "MTN",
  airtel: "Airtel",
  glo: "Glo",
  "9mobile": "9mobile (T2)",
  other: "Other, Nigeria",
  abroad: "Abroad",
};

export function networkName(network: string): string {
  const name = NAMES[network.toLowerCase()];
  if (name) return name;
  return network ? network.charAt(0).toUpperCase() + network.slice(1).replaceAll("_", " ") : "Not known";
}
