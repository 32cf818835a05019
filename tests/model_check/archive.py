"""An archive of the classes that TLC loads, so that Java starts it in two thirds of the time: ``python -m ... FILE``.

Java packages come without one. Where none can be made, or it is not of this Java and this jar, TLC starts as ever.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from catan_p2p.model_check.configurations import config_text, settings_of
from catan_p2p.model_check.tlc import TlcError, TlcProgram, spec_folder

OPTIONS = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g")
"""Of the tests' TLC. Most of their models are small: half of their time was the Java compiler's."""


ARCHIVE = Path(__file__).parents[2] / ".venv" / "tlc.jsa"
"""Where ``make test-all`` keeps it."""


def options(archive: Path = ARCHIVE) -> tuple[str, ...]:
    """The options with an archive, if there is one; Java says nothing about one that does not fit."""
    if " " in str(archive) or not archive.is_file() or not archive.stat().st_size:
        return OPTIONS
    return (*OPTIONS, f"-XX:SharedArchiveFile={archive}", "-Xlog:disable")


def make(archive: Path) -> None:
    """Make the archive; ``TlcError`` and ``OSError`` if there is no Java, no room, or it cannot."""
    tlc = TlcProgram.find()
    with tempfile.TemporaryDirectory(prefix="catan-p2p-tlc-") as scratch:
        classes, made = Path(scratch) / "classes", Path(scratch) / "archive"
        listing = TlcProgram(tlc.java, tlc.jar, (*OPTIONS, f"-XX:DumpLoadedClassList={classes}"))
        listing.run(spec_folder() / "CatanChance.tla", config_text(settings_of("MCDrawLiar")))
        command = [str(tlc.java), *OPTIONS, "-Xshare:dump", f"-XX:SharedClassListFile={classes}"]
        command += [f"-XX:SharedArchiveFile={made}", "-cp", str(tlc.jar.resolve())]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or not made.is_file():
            raise TlcError(f"{tlc.java}: makes no archive: {(done.stdout + done.stderr).strip()[-500:]}")
        archive.write_bytes(made.read_bytes())


if __name__ == "__main__":
    try:
        make(Path(sys.argv[1]))
    except (TlcError, OSError) as error:
        print(f"TLC will start more slowly: {error}", file=sys.stderr)
        Path(sys.argv[1]).touch()
