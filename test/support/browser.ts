import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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
