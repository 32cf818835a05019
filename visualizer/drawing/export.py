"""Pictures and films without a window."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import pygame

from catan_p2p import programs

from ..data.recording import GameRecording
from ..pictures.picture import picture
from ..view import FILMS, RecordingView, ViewSituation
from .fonts import FontSet
from .renderer import SceneRenderer

if TYPE_CHECKING:
    from PIL import Image

_HOLD_LAST_S = 2.0
"""How long a film shows its last picture."""
_LEAST_FFMPEG, _ENCODER = 4, "libx264"
_RELEASE = re.compile(r"^ffmpeg version (?:n?(\d+)\.)?", re.MULTILINE)
_COLORS = 250
"""Colours of a GIF, few enough to leave ``_CLEAR`` free in its palette of 256."""
_CLEAR = 255
"""The transparent entry of a GIF's palette."""


class CannotExport(Exception):
    """A picture or film that cannot be made; the message says why and what to do."""


def snapshot(
    recording: GameRecording, view: RecordingView, situation: ViewSituation, size: tuple[int, int], scale: float = 1.0
) -> pygame.Surface:
    """The picture of a view, drawn without any display."""
    return next(frames(recording, view, situation, [view.index], size, scale))


def save_picture(surface: pygame.Surface, path: Path) -> None:
    """Write a PNG; ``OSError`` if that fails."""
    try:
        with path.open("wb") as file:
            pygame.image.save(surface, file, "x.png")
    except pygame.error as error:
        raise OSError(str(error)) from None


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    """A file name that is still free in a folder: ``catan-1.png``."""
    return next(path for i in count(1) if not (path := folder / f"{stem}-{i}{suffix}").exists())


def frames(
    recording: GameRecording,
    view: RecordingView,
    situation: ViewSituation,
    steps: Sequence[int],
    size: tuple[int, int],
    scale: float = 1.0,
) -> Iterator[pygame.Surface]:
    """The pictures of some steps, one after the other, all on the same surface: the next one overwrites the last."""
    renderer = SceneRenderer(FontSet())
    surface = pygame.Surface(size, 0, 32)
    for index in steps:
        shown = replace(view, index=index)
        renderer.draw(picture(recording, shown, situation, size, renderer.fonts.width, scale), surface)
        yield surface


def write_film(
    pictures: Iterator[pygame.Surface], total: int, speed: float, path: Path, told: Callable[[int], None]
) -> None:
    """Write pictures as a film, ``speed`` of them a second; ``told`` is called with the number written so far.

    The last picture stays for two seconds. ``CannotExport`` if what the format needs is missing, or the file cannot be
    written.
    """
    writer = {".gif": _write_gif, ".mp4": _write_mp4}.get(path.suffix.lower())
    if writer is None:
        raise CannotExport(f"{path}: a film is a {' or '.join(FILMS)} file")
    try:
        writer(_counted(pictures, told), total, speed, path)
    except OSError as error:
        raise CannotExport(f"{path}: cannot be written: {error.strerror or error}") from None


def _counted(pictures: Iterator[pygame.Surface], told: Callable[[int], None]) -> Iterator[pygame.Surface]:
    for number, surface in enumerate(pictures, 1):
        yield surface
        told(number)


def _write_gif(pictures: Iterator[pygame.Surface], total: int, speed: float, path: Path) -> None:
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise CannotExport("a GIF needs Pillow: pip install 'catan-p2p[play]'") from None
    made = _images(pictures)
    duration = max(20, round(1000 / speed))  # browsers slow pictures of less than 20 ms down to 100 ms
    durations = [duration] * (total - 1) + [round(1000 * _HOLD_LAST_S)]
    first = next(made)
    first.save(path, save_all=True, append_images=made, duration=durations, loop=0, disposal=1, transparency=_CLEAR)


def _images(pictures: Iterator[pygame.Surface]) -> Iterator[Image.Image]:
    """The pictures in the palette of the first. Pixels as in the picture before are transparent, for a small file."""
    from PIL import Image, ImageChops

    before: Image.Image | None = None
    palette: Image.Image | None = None
    for surface in pictures:
        full = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
        if palette is None:
            palette = full.quantize(_COLORS, method=Image.Quantize.MEDIANCUT)
        image = full.quantize(palette=palette, dither=Image.Dither.NONE)
        plain = Image.frombytes("L", image.size, image.tobytes())
        if before is not None:
            same = ImageChops.difference(plain, before).point(lambda value: 0 if value else 255)
            image.paste(_CLEAR, mask=same)
        before = plain
        yield image


def _write_mp4(pictures: Iterator[pygame.Surface], total: int, speed: float, path: Path) -> None:
    program = _ffmpeg()
    first = next(pictures)
    w, h = first.get_size()
    rate = max(1.0, speed)
    # H.264 with yuv420p, which every player knows, needs even sides.
    command = [
        str(program), "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{w}x{h}",
        "-r", f"{rate:g}", "-i", "-", "-preset", "veryfast", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-r", f"{max(rate, 10):g}", str(path),
    ]  # fmt: skip
    with TemporaryFile() as complaints:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=complaints)
        assert process.stdin is not None
        try:
            data = _pour(process.stdin.write, first, pictures)
            for _ in range(round(_HOLD_LAST_S * rate)):
                process.stdin.write(data)
            process.stdin.close()
        except BrokenPipeError:  # ffmpeg has ended; it says why on standard error
            pass
        if process.wait():
            complaints.seek(0)
            said = programs.complaint(complaints.read().decode(errors="replace"))
            raise CannotExport(f"{path}: {program} could not write it: {said}")


def _pour(write: Callable[[bytes], object], first: pygame.Surface, rest: Iterator[pygame.Surface]) -> bytes:
    """Write all pictures and return the bytes of the last."""
    data = pygame.image.tobytes(first, "RGB")
    write(data)
    for surface in rest:
        data = pygame.image.tobytes(surface, "RGB")
        write(data)
    return data


def _ffmpeg() -> Path:
    """The first ffmpeg on the PATH that can make a film, else the one that comes with imageio-ffmpeg."""
    try:
        return programs.first_usable(_ffmpegs(), ["-encoders"], _fault_of_ffmpeg)
    except programs.NoneUsable as error:
        tried = f" ({error})" if str(error) else ""
        raise CannotExport(
            f"an MP4 needs ffmpeg {_LEAST_FFMPEG} or newer with {_ENCODER}{tried}: install it, or "
            "pip install 'catan-p2p[video]'; a GIF needs neither"
        ) from None


def _ffmpegs() -> Iterator[Path]:
    """Every ffmpeg that may be installed, the preferred first."""
    yield from programs.on_path("ffmpeg")
    # The package raises RuntimeError if it has no program for this system, or if the one the user set fails.
    with suppress(ImportError, RuntimeError):
        import imageio_ffmpeg  # type: ignore[import-untyped,import-not-found,unused-ignore]

        yield Path(imageio_ffmpeg.get_ffmpeg_exe())


def _fault_of_ffmpeg(printed: str) -> str | None:
    """What is wrong with an ffmpeg that has listed its encoders; a build between two releases has no number."""
    release = _RELEASE.search(printed)
    if release is None:
        return f"is no ffmpeg: {programs.complaint(printed)}"
    if release[1] is not None and int(release[1]) < _LEAST_FFMPEG:
        return f"is ffmpeg {release[1]}"
    return None if _ENCODER in printed.split() else f"has no encoder {_ENCODER}"
