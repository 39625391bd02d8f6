package gpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Client runs tasks in a worker process.
type Client struct{}

// NewClient returns a client.
func NewClient() *Client { return &Client{} }

func (c *Client) ready(context.Context) error {
	_, err := FindWorker()
	return err
}

func (c *Client) compute(context.Context, kernels.Measure, Task) (*Outcome, error) {
	_, err := FindWorker()
	if err == nil {
		err = refuse(NoWorker, "this build cannot talk to a worker yet")
	}
	return nil, err
}
