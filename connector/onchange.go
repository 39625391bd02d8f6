package connector

// OnChange says what an export does when the database changed while it was read. What it cannot notice it cannot act
// on.
type OnChange string

// An export that noticed a change takes what it read, silently or with a warning; reads again, a few times at most, and
// then takes it with a warning; or fails with an error of kind Changed.
const (
	IgnoreChange  OnChange = "ignore"
	WarnOnChange  OnChange = "warn"
	RetryOnChange OnChange = "retry"
	FailOnChange  OnChange = "fail"
)
