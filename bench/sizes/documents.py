"""The documents: those of the experiment, and twenty others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Document:
    """A JSON file of an npm package, whose version `package.json` pins."""

    name: str
    file: str
    # Why columns are larger than plain MessagePack or records, where they are.
    cause: str = ""

    @property
    def path(self) -> Path:
        return HERE / "node_modules" / self.file


# Those of bench/data.lock are among them.
EXPERIMENT = [
    Document("airports", "airports/airports.json"),
    Document("mime-db", "mime-db/db.json"),
    Document("movies", "vega-datasets/data/movies.json"),
    Document("countries-50m", "world-atlas/countries-50m.json"),
    Document(
        "flights-20k",
        "vega-datasets/data/flights-20k.json",
        cause="654 triples of origin, destination and distance repeat, and zstd finds them in rows",
    ),
    Document("earthquakes", "vega-datasets/data/earthquakes.json"),
]
FURTHER = [
    Document("annual-precip", "vega-datasets/data/annual-precip.json"),
    Document("budgets", "vega-datasets/data/budgets.json"),
    Document("cars", "vega-datasets/data/cars.json"),
    Document("colornames", "color-name-list/dist/colornames.json"),
    Document("css-properties", "mdn-data/css/properties.json"),
    Document("emojibase", "emojibase-data/en/data.json"),
    Document("flare", "vega-datasets/data/flare.json"),
    Document("football", "vega-datasets/data/football.json"),
    Document("gapminder", "vega-datasets/data/gapminder.json"),
    Document("icons", "@mdi/svg/meta.json"),
    Document("jobs", "vega-datasets/data/jobs.json"),
    Document("language-subtags", "language-subtag-registry/data/json/registry.json"),
    Document("penguins", "vega-datasets/data/penguins.json"),
    Document("platformer-terrain", "vega-datasets/data/platformer-terrain.json"),
    Document("political-contributions", "vega-datasets/data/political-contributions.json"),
    Document("simple-icons", "simple-icons/data/simple-icons.json"),
    Document("time-zones", "moment-timezone/data/meta/latest.json"),
    Document("unemployment", "vega-datasets/data/unemployment-across-industries.json"),
    Document("unicode-emoji", "unicode-emoji-json/data-by-emoji.json"),
    Document("us-10m", "vega-datasets/data/us-10m.json"),
]
