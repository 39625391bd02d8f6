package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"
)

// showPage starts the service, checks that its page has the results, and leaves it to the reader: on a terminal until
// they press Ctrl-C, and with keep beyond the end of the demonstration. Otherwise it stops. drawTo is a folder for
// pictures of the page; "" for none.
func showPage(ctx context.Context, s *server, keep bool, drawTo string) error {
	address, err := freeAddress()
	if err != nil {
		return err
	}
	log, err := os.Create("build/demo/serve.log")
	if err != nil {
		return err
	}
	defer log.Close()
	fmt.Printf("\n$ linchpin serve --listen %s\n", address)
	service := command(context.WithoutCancel(ctx), s, "serve", "--listen", address)
	service.Stdout, service.Stderr = log, log
	service.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the demonstration, which ends the service
	if err := service.Start(); err != nil {
		return err
	}
	if err := pageHasResults(ctx, "http://"+address); err != nil {
		return fmt.Errorf("%w: %w (its log is %s)", err, stop(service), log.Name())
	}
	if drawTo != "" {
		if err := shoot(ctx, "http://"+address, drawTo); err != nil {
			return fmt.Errorf("pictures of the page: %w: %w", err, stop(service))
		}
	}
	report, err := filepath.Abs("build/demo/report.html")
	if err != nil {
		return err
	}
	fmt.Printf("\nThe page of the service:  http://%s/\nThe report with the map:  file://%s\n", address, report)
	switch {
	case keep:
		s.farewell(keep)
		fmt.Printf("The service stays, too. End it: kill %d\n", service.Process.Pid)
		return service.Process.Release()
	case term.IsTerminal(int(os.Stdout.Fd())) && term.IsTerminal(int(os.Stdin.Fd())):
		fmt.Println("Look at both, then press Ctrl-C to end.")
		<-ctx.Done()
	}
	s.farewell(keep)
	return stop(service)
}

// freeAddress finds a port of the loopback interface that nobody listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// stop ends the service as a service manager would.
func stop(service *exec.Cmd) error {
	if err := service.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return service.Wait()
}

// pageHasResults waits for the service, and follows the page from the job to its run with the airport that comes first.
func pageHasResults(ctx context.Context, url string) error {
	var job string
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		text, err := get(ctx, url+"/jobs/hubs")
		if job = regexp.MustCompile(`/runs/[^"]+`).FindString(text); err == nil && job != "" {
			break
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return fmt.Errorf("the page of hubs shows no run: %v", err)
		}
	}
	text, err := get(ctx, url+job)
	if err == nil && !strings.Contains(text, "Anchorage") {
		err = fmt.Errorf("Anchorage is not on it")
	}
	if err != nil {
		return fmt.Errorf("the page of the run: %w", err)
	}
	return nil
}

func get(ctx context.Context, url string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answers %s", url, response.Status)
	}
	return string(text), err
}
