package main

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// shots are the pictures of the list of jobs for the documentation, by the file's name.
var shots = []struct{ file, scheme string }{
	{"page.png", "light"}, {"page-dark.png", "dark"},
}

// shoot writes the pictures of the service's page into a folder.
func shoot(ctx context.Context, url, folder string) error {
	path, err := chromium()
	if err != nil {
		return err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	for _, s := range shots {
		var picture []byte
		err := chromedp.Run(ctx,
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme",
				Value: s.scheme}}),
			// the service has read all records
			emulation.SetDeviceMetricsOverride(1280, 800, 1, false), chromedp.Navigate(url+"/"),
			chromedp.WaitVisible("#jobs tr:nth-child(3) .top"), chromedp.ActionFunc(func(ctx context.Context) (err error) {
				picture, err = page.CaptureScreenshot().Do(ctx)
				return err
			}))
		if err == nil {
			err = writeSmall(filepath.Join(folder, s.file), picture)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
	}
	return nil
}

// chromium finds the browser that the tests of the page use, too.
func chromium() (string, error) {
	if path := os.Getenv("LINCHPIN_CHROMIUM"); path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no Chromium: scripts/browser.sh .cache installs it")
}

// writeSmall writes a PNG with the best compression; browsers prefer a fast one.
func writeSmall(path string, picture []byte) error {
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
