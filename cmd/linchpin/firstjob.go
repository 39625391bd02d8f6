package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/linchpin-graph/linchpin/connector/neo4j"
)

// firstJob is a job that init --from suggests, with reasons for what it guessed.
type firstJob struct {
	name        string
	kind        neo4j.FoundType
	labels      []string
	nodes       int64
	bipartite   bool
	orientation string
	// why are lines of a comment.
	why      []string
	weight   string // "" counts hops
	skip     bool   // leave out relationships with bad weights, which the sample may have missed
	caption  string
	sources  int // to draw; 0 for all
	measures []firstMeasure
}

// firstMeasure is a measure with the properties that take its scores.
type firstMeasure struct{ measure, nodes, relationships string }

// bipartitePenalty is how many relationships between nodes of different labels are worth one between nodes of the same.
const bipartitePenalty = 10

// rankTypes sorts the sampled types, the most promising first.
func rankTypes(found []neo4j.FoundType) []neo4j.FoundType {
	worth := func(f neo4j.FoundType) float64 {
		w := float64(f.Count)
		if isBipartite(f) {
			w /= bipartitePenalty
		}
		if f.Sampled == 0 {
			w = 0
		}
		return w
	}
	out := slices.Clone(found)
	slices.SortStableFunc(out, func(a, b neo4j.FoundType) int {
		switch x, y := worth(a), worth(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// isBipartite reports whether a type leads from nodes of some labels to nodes of others.
func isBipartite(f neo4j.FoundType) bool {
	return len(f.From) > 0 && len(f.To) > 0 &&
		!slices.ContainsFunc(f.From, func(label string) bool { return slices.Contains(f.To, label) })
}

// newFirstJob chooses labels and orientation for a type.
func newFirstJob(f neo4j.FoundType) firstJob {
	j := firstJob{kind: f, bipartite: isBipartite(f)}
	if len(f.From) > 0 && len(f.To) > 0 {
		j.labels = slices.Compact(slices.Sorted(slices.Values(slices.Concat(f.From, f.To))))
	}
	j.orient()
	return j
}

// pattern compiles an expression when it is first used: no other command waits for it.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// sameBothWays finds types that mean the same in both directions, although each pair is stored once.
var sameBothWays = pattern(`(?i)knows|friend|married|sibling|similar|connect|route|road|street|rail|link|adjacent|neighbo|next_?to|border|colleague|co_?author|collaborat|peer|near|joined|wire|pipe|edge`)

func (j *firstJob) orient() {
	f, name := j.kind, plain(j.kind.Name)
	percent := share(f.Back, f.Sampled)
	switch {
	case j.bipartite:
		j.orientation = "undirected"
		j.why = append(j.why, fmt.Sprintf("bipartite: %s leads from %s to %s, never within one of them.", name,
			plainList(f.From), plainList(f.To)),
			"Undirected, so that paths lead through both. The scores of one side count paths through the other.")
		from, to := labelPattern(f.From), labelPattern(f.To)
		j.why = append(j.why, fmt.Sprintf("To join two %s by a common %s instead: nodes: %s, and in place of relationships:",
			plainList(f.From), plainList(f.To), yamlList(f.From)),
			fmt.Sprintf("  relationshipQuery: %s",
				yamlText(fmt.Sprintf("MATCH (a%s)-[:%s]->(%s)<-[:%s]-(b%s) WHERE elementId(a) < elementId(b) "+
					"RETURN DISTINCT a AS source, b AS target", from, neo4j.Quote(f.Name), to, neo4j.Quote(f.Name), from))),
			"  orientation: undirected")
	case percent >= 50:
		j.orientation = "undirected"
		j.why = append(j.why, fmt.Sprintf("undirected: %s of %s have a counterpart in the other direction.",
			percentText(f.Back, f.Sampled), j.sample()))
	case sameBothWays().MatchString(f.Name):
		j.orientation = "undirected"
		j.why = append(j.why,
			fmt.Sprintf("undirected: %s looks like a relationship that means the same in both directions. Else write natural.",
				name))
	default:
		j.orientation = "natural"
		j.why = append(j.why,
			fmt.Sprintf("natural: %s of %s have a counterpart, so the direction seems to matter. If not, write undirected.",
				percentText(f.Back, f.Sampled), j.sample()))
	}
}

// sample says which relationships of the type were looked at.
func (j *firstJob) sample() string {
	if j.kind.Sampled == j.kind.Count {
		return plain(j.kind.Name)
	}
	return fmt.Sprintf("the %d sampled %s", j.kind.Sampled, plain(j.kind.Name))
}

func share(part, of int64) float64 { return 100 * float64(part) / math.Max(float64(of), 1) }

// percentText rounds towards the middle, so that 0 % means none and 100 % all.
func percentText(part, of int64) string {
	p := math.Round(share(part, of))
	if part > 0 {
		p = math.Max(p, 1)
	}
	if part < of {
		p = math.Min(p, 99)
	}
	return fmt.Sprintf("%.0f %%", p)
}

// Words of property names. A length is what paths add up; a strength says how close two nodes are, the more the closer.
var (
	lengthWords = pattern(
		`(?i)^(.*[_a-z])?(miles?|km|kilomet\w+|met(er|re)s?|dist(ance)?s?|length|len|cost|duration|` +
			`minutes|mins|hours|hrs|seconds|secs|delay|latency|(travel|drive|driving|flight|walk|walking|transit|trip)_?time|` +
			`fare|toll|price|resistance|impedance)(_[a-z]{1,5})?$`)
	strength = pattern(`(?i)weight|count|calls?|score|strength|similar|freq|amount|volume|capacity|bandwidth|prob|confidence|rating|number|num_|times$|flow|trust|affinity|quantity`)
)

// weigh looks for a property that is a length. It returns its name, and a line for each numeric property on what it may
// be.
func weigh(f neo4j.FoundType) (weight string, notes []string) {
	for _, p := range f.Properties {
		name := plain(p.Name)
		switch {
		case p.Numbers == 0:
		case strength().MatchString(p.Name):
			notes = append(notes,
				fmt.Sprintf("weight: %s may be a strength, and paths add up lengths, so it is left out.", name))
		case !lengthWords().MatchString(p.Name):
			notes = append(notes,
				fmt.Sprintf("weight: %s is a number, but nothing says that it is a length, so it is left out.", name))
		case p.Numbers < p.Sampled:
			notes = append(notes, fmt.Sprintf("weight: %s looks like a length, but only %s have it, so it is left out.", name,
				percentText(p.Numbers, p.Sampled)))
		case p.Min <= 0:
			notes = append(notes, fmt.Sprintf("weight: %s looks like a length, but some are %g, so it is left out.",
				name, p.Min))
		case weight != "":
			notes = append(notes, fmt.Sprintf("weight: %s looks like a length, too.", name))
		default:
			weight = p.Name
			notes = append(notes, fmt.Sprintf("weight: %s looks like a length: numeric on %s, positive (%g to %g).", name,
				allOf(f), p.Min, p.Max))
		}
	}
	return weight, notes
}

func allOf(f neo4j.FoundType) string {
	if f.Sampled == f.Count {
		return "all"
	}
	return fmt.Sprintf("all %d sampled", f.Sampled)
}

// mostSteps is the number of nodes times relationships up to which a first job computes exact scores: minutes of a CPU.
const mostSteps = 1e11

// firstSources is how many nodes a first job searches from in a larger graph.
const firstSources = 1000

func (j *firstJob) limit() {
	if float64(j.nodes)*float64(j.kind.Count) > mostSteps {
		j.sources = firstSources
	}
}

// defaultCaptions are the properties that name nodes without a caption in the config.
var defaultCaptions = []string{"name", "title", "label", "code", "key", "id"}

// nameNodes looks for a property that names nodes, and for coordinates.
func (j *firstJob) nameNodes(properties []neo4j.FoundProperty) {
	usable := func(p neo4j.FoundProperty) bool { return p.Texts+p.Numbers > p.Sampled/10 }
	byDefault, other := "", ""
	for _, p := range properties {
		switch {
		case slices.Contains(defaultCaptions, p.Name) && usable(p):
			if byDefault == "" || slices.Index(defaultCaptions, p.Name) < slices.Index(defaultCaptions, byDefault) {
				byDefault = p.Name
			}
		case p.Texts > p.Sampled/2 && (other == "" || strings.Contains(strings.ToLower(p.Name), "name")):
			other = p.Name
		}
	}
	switch {
	case byDefault != "":
		j.why = append(j.why,
			fmt.Sprintf("Nodes are named by their property %s. To name them by another, add caption.", byDefault))
	case other != "":
		j.caption = other
	}
	if place := coordinates(properties); place != "" {
		j.why = append(j.why, "Nodes have coordinates: "+place+".")
	}
}

var (
	latitude  = pattern(`(?i)^lat(itude)?$`)
	longitude = pattern(`(?i)^(lon|lng|long|longitude)$`)
)

// coordinates names the properties that hold a place on the globe.
func coordinates(properties []neo4j.FoundProperty) string {
	lat, lon := "", ""
	for _, p := range properties {
		switch {
		case p.Points > p.Sampled/2:
			return plain(p.Name)
		case p.Numbers == 0:
		case latitude().MatchString(p.Name) && p.Min >= -90 && p.Max <= 90:
			lat = p.Name
		case longitude().MatchString(p.Name) && p.Min >= -360 && p.Max <= 360:
			lon = p.Name
		}
	}
	if lat == "" || lon == "" {
		return ""
	}
	return plain(lat) + ", " + plain(lon)
}
