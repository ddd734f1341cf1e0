import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What a machine finds that keeps somebody from reading or operating the page (WCAG 2.2 AA); empty when nothing. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const asked = JSON.stringify({ iframes: false, runOnly: rules });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${asked})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}
