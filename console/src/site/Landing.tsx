export default function Landing() {
  return (
    <main>
      <h1>Talkdrum</h1>
    </main>
  );
}
