// Draws docs/images/sandbox.png anew: `npx node test/sandbox/screenshot.ts`. Needs Chromium (browser.ts tells
// where it is looked for) and pngquant, which makes a third of the picture's size.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../support/browser.ts';
import { openSample } from './page-sample.ts';

const file = fileURLToPath(new URL('../../docs/images/sandbox.png', import.meta.url));
const sample = await openSample();
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, deviceScaleFactor: 2 });
  await page.goto(sample.sandbox.url);
  await page.getByText('En vivo').waitFor();
  await page.screenshot({ path: file });
  execFileSync('pngquant', ['--force', '--strip', '--quality', '80-98', '--output', file, file]);
} finally {
  await browser.close();
  await sample.close();
}
