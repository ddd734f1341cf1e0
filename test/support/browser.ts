import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

const places = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of this machine, if it has one. `CHROMIUM_PATH` names it where it is elsewhere. */
export const chromiumPath = places.find((place) => place !== '' && existsSync(place));

/** For `test.skipIf`; says once why the tests in the browser do not run. */
export const noBrowser = chromiumPath === undefined;
if (noBrowser) {
  console.warn(
    'No Chromium on this machine: the browser tests are skipped (install it, or set CHROMIUM_PATH).',
  );
}

/** Starts the browser without a window. */
export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium; install it or set CHROMIUM_PATH.');
  // As root, in a container, Chromium has no sandbox of its own to offer.
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}

/** How a test looks at a page. */
export type Open = (url: string, options?: BrowserContextOptions) => Promise<Page>;

/**
 * One browser for the tests of a `describe`. Each window fails its test when the page writes to the console,
 * breaks, or asks for something it does not get.
 */
export function useBrowser(): Open {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  return async (url, options = {}) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('requestfailed', (request) => {
      // Leaving a page ends the look it was just taking.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(request.url());
    });
    onTestFinished(async () => {
      await context.close();
      expect(complaints).toEqual([]);
    });
    await page.goto(url);
    return page;
  };
}
