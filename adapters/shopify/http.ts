import type { Dispatcher } from 'undici';

/** As of WooCommerce: larger answers are no order. */
const largestAnswer = 16 * 1024 * 1024;

let opened: Promise<{ fetch: typeof import('undici').fetch; dispatcher: Dispatcher }> | undefined;

/**
 * All HTTP towards Shopify: one pool of connections, loaded when first needed. Redirects are not followed: the token
 * stands in a header that would go along.
 */
export async function shopifyFetch(url: string, init: object): Promise<Response> {
  opened ??= import('undici').then(({ Agent, fetch }) => ({
    fetch,
    dispatcher: new Agent({ connect: { timeout: 5_000 }, maxResponseSize: largestAnswer }),
  }));
  const { fetch, dispatcher } = await opened;
  // undici's own fetch and the global one differ in types only.
  return (await fetch(url, { ...init, redirect: 'manual', dispatcher })) as unknown as Response;
}
