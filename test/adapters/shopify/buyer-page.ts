import { readFileSync } from 'node:fs';

/* The snippets of docs/shopify.md are run as they stand there. */

const page = readFileSync(new URL('../../../docs/shopify.md', import.meta.url), 'utf8');
/** The code of all blocks in a language. */
export const fenced = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );
/** The field in the cart, and its script. */
export const cart = fenced('html').find((code) => code.includes('<script>')) ?? '';
export const script = /<script>([\s\S]*)<\/script>/.exec(cart)?.[1] ?? '';
