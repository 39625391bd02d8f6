"""What NetworkX shows of this backend. It is read when NetworkX is imported, so it imports nothing."""

from __future__ import annotations

from typing import Any

FUNCTIONS: dict[str, str] = {
    "betweenness_centrality": "Weights are attributes, greater than 0. With k, the same nodes are drawn as by NetworkX.",
    "edge_betweenness_centrality": "Weights are attributes, greater than 0. With k, the same nodes are drawn as by NetworkX.",
    "closeness_centrality": "Distances are attributes, greater than 0. sp is left to NetworkX, and one node u is by default.",
    "harmonic_centrality": "Distances are attributes, greater than 0.",
    "eccentricity": "Weights are attributes, greater than 0. sp is left to NetworkX, and one node v is by default.",
}


def get_info() -> dict[str, Any]:
    """Return the description of the backend."""
    return {
        "backend_name": "linchpin",
        "project": "nx-linchpin",
        "package": "nx_linchpin",
        "url": "https://pypi.org/project/nx-linchpin/",
        "short_summary": "Centralities on all processors, or a GPU.",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }
