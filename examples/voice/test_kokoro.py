"""What can be tested of kokoro.py without its packages: `python3 -m unittest discover -s examples/voice`."""

import io
import subprocess
import sys
import tempfile
import unittest
import wave
from pathlib import Path

import kokoro

PROGRAM = Path(kokoro.__file__)


def run(*arguments: str, text: bytes = b"") -> subprocess.CompletedProcess:
    command = [sys.executable, "-S", str(PROGRAM), *arguments]
    return subprocess.run(command, input=text, capture_output=True, timeout=60, check=False)


class Kokoro(unittest.TestCase):
    def test_dots_of_addresses_and_ends_of_lines_are_heard(self):
        for written, said in [
            ("See shop.example.ng.", "See shop dot example dot ng."),
            ("Ask Mr.Bello, e.g. at 5 p.m.", "Ask Mr.Bello, e.g. at 5 p.m."),
            (" Hello\nworld.\n\nYes\n", "Hello. world. Yes"),
            ("Call Ada (now) please", "Call Ada, now, please"),
        ]:
            self.assertEqual(kokoro.readable(written), said)

    def test_no_language_is_named(self):
        self.assertEqual(kokoro.without_languages("(ka)nˈaɪɹə(en-us)"), "nˈaɪɹə")

    def test_samples_become_a_wav(self):
        with wave.open(io.BytesIO(kokoro.wav_of(b"\1\0\2\0", 24_000))) as wav:
            self.assertEqual(tuple(wav.getparams())[:4], (1, 2, 24_000, 2))

    def test_a_failure_is_a_sentence_without_the_text(self):
        for ended in [run("bf_emma", text=b"a secret"), run("bf_emma", text=b"secret " * 20_000)]:
            self.assertEqual((ended.returncode, ended.stdout), (1, b""))
            self.assertRegex(ended.stderr.decode(), r"\Akokoro: [^\n]+\n\Z")
            self.assertNotIn(b"secret", ended.stderr)

    def test_another_package_of_voices_is_refused(self):
        with self.assertRaisesRegex(kokoro.Refused, "another one than was tried"):
            kokoro.checked(b"another", kokoro.VOICES_SHA256, "the package")

    def test_a_file_is_replaced_as_a_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bin" / "kokoro"
            kokoro.put(path, b"old")
            kokoro.put(path, b"new", 0o755)
            self.assertEqual((path.read_bytes(), path.stat().st_mode & 0o777), (b"new", 0o755))
            self.assertEqual([file.name for file in path.parent.iterdir()], ["kokoro"])


if __name__ == "__main__":
    unittest.main()
