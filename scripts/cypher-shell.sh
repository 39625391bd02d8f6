#!/usr/bin/env bash
# cypher-shell.sh CACHE URI: opens Neo4j's own Cypher shell, fetched once from Maven Central into CACHE.
set -euo pipefail
mkdir -p "$1"
cache=$(cd "$1" && pwd) uri=$2 version=5.26.30
if [ ! -e "$cache/ready-$version" ]; then
  cat >"$cache/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>linchpin</groupId><artifactId>cypher-shell</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency><groupId>org.neo4j</groupId><artifactId>cypher-shell</artifactId><version>$version</version></dependency></dependencies></project>
POM
  mvn -q -f "$cache/pom.xml" dependency:copy-dependencies -DoutputDirectory="$cache/lib"
  touch "$cache/ready-$version"
fi
exec java -cp "$cache/lib/*" org.neo4j.shell.Main -a "$uri" "${@:3}"
