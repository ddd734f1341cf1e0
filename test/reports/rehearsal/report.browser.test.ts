import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportPage } from '../../../src/reports/rehearsal/report.ts';
import { barriers } from '../../support/axe.ts';
import { noBrowser, useBrowser } from '../../support/browser.ts';
import { rehearseQuarter } from './quarter.ts';

describe.skipIf(noBrowser)('the report of a rehearsal', () => {
  const open = useBrowser();
  let folder: string;
  let address: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'facturapuente-report-'));
    const file = join(folder, 'ensayo.html');
    await writeFile(file, reportPage(await rehearseQuarter(new Date('2026-11-20T17:00:00Z'))));
    address = pathToFileURL(file).href;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['a telephone', { width: 390, height: 800 }],
    ['a wide screen', { width: 1200, height: 900 }],
  ])('fits %s and can be read by everybody', async (_what, viewport) => {
    const page = await open(address, { viewport });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await barriers(page)).toEqual([]);
    await expect(page.getByRole('heading', { level: 1 }).textContent()).resolves.toBe(
      'Ensayo de facturación',
    );
  });

  it('can be read in the dark, and printed', async () => {
    const page = await open(address, { colorScheme: 'dark' });
    expect(await barriers(page)).toEqual([]);
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(20_000);
  });
});
