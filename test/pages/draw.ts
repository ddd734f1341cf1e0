import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page, PageScreenshotOptions } from 'playwright-core';

/** Into docs/images; pngquant, where it is installed, makes a third of the picture's size. */
export async function draw(page: Page, name: string, part: PageScreenshotOptions = { fullPage: true }) {
  const path = fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url));
  await page.screenshot({ path, ...part });
  const options = ['--force', '--strip', '--quality', '80-98', '--output', path];
  if (existsSync('/usr/bin/pngquant')) execFileSync('pngquant', [...options, path]);
}
