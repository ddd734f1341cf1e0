// Draws docs/images/ensayo.png anew: `npx node test/reports/rehearsal/screenshot.ts`. Needs Chromium (test/support/browser.ts
// tells where it is looked for) and pngquant.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { reportPage } from '../../../src/reports/rehearsal/report.ts';
import { openBrowser } from '../../support/browser.ts';
import { rehearseQuarter } from './quarter.ts';

const image = fileURLToPath(new URL('../../../docs/images/ensayo.png', import.meta.url));
const browser = await openBrowser();
try {
  const page = await browser.newPage({
    viewport: { width: 960, height: 1250 },
    locale: 'es-EC',
    colorScheme: 'light',
  });
  await page.setContent(reportPage(await rehearseQuarter(new Date('2026-11-20T17:00:00Z'))));
  await page.screenshot({ path: image });
  execFileSync('pngquant', ['--force', '--strip', '--quality', '80-98', '--output', image, image]);
} finally {
  await browser.close();
}
