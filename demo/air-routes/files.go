// Package airroutes holds the world's airports and the routes between them; see NOTICE.
package airroutes

import _ "embed"

// Airports is a gzipped CSV file: id,code,name,city,country,lat,lon.
//
//go:embed airports.csv.gz
var Airports []byte

// Routes is a gzipped CSV file: from,to,miles. Nearly each route is there in both directions.
//
//go:embed routes.csv.gz
var Routes []byte
