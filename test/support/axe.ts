import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What a machine finds that keeps somebody from reading or operating the page (WCAG 2.2 AA), in light and in dark
 * colours; empty when nothing. Only contrast can differ between the two.
 */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const [colorScheme, runOnly] of [['light', rules] as const, ['dark', ['color-contrast']] as const]) {
    await page.emulateMedia({ colorScheme });
    // Colours that fade into each other would be measured half way.
    await page.evaluate('for (const one of document.getAnimations()) one.finish()');
    const asked = JSON.stringify({ iframes: false, runOnly });
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${asked})`);
    for (const { id, nodes } of violations)
      found.push(`${colorScheme}, ${id}: ${nodes.map((node) => node.html).join(' ')}`);
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}
