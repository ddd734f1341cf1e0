import { randomBytes } from 'node:crypto';
import { encode } from 'html-entities';
import type { ShopKeys } from './oauth.ts';
import type { RestAnswer } from './rest.ts';
import { post } from './webhook.ts';

const scopes = { read: 'read', write: 'write', read_write: 'read_write' } as const;

/** Keys the shop hands over when the merchant approves, as WooCommerce's wc-auth does (measured on WooCommerce 11.0.1). */
export function openWcAuth(home: () => string, grant: (keys: ShopKeys) => { revoke(): void }) {
  let lastKeyId = 0;

  /** The page on which the administrator, who is logged in, approves or denies. */
  function authorize(url: URL): RestAnswer {
    const wrong = whyWrong(url.searchParams);
    if (wrong !== null) return { status: 401, body: `<h1>Error</h1><p>Error: ${encode(wrong)}</p>` };
    const approve = encode(`${home()}/wc-auth/v1/access_granted/?${url.searchParams}`);
    const deny = encode(returnUrl(url.searchParams, '0'));
    const app = encode(url.searchParams.get('app_name') ?? '');
    return {
      status: 200,
      body: `<!DOCTYPE html>\n<link rel="icon" href="data:,">\n<h1>${app} would like to connect to your store</h1>\n<a href="${approve}" class="wc-auth-approve">Approve</a>\n<a href="${deny}" class="wc-auth-deny">Deny</a>`,
    };
  }

  /** Hands over new keys first, and takes them back unless the answer is exactly 200; then the merchant returns. */
  async function granted(url: URL): Promise<RestAnswer> {
    const query = url.searchParams;
    const wrong = whyWrong(query);
    if (wrong !== null) return { status: 401, body: `<h1>Error</h1><p>Error: ${encode(wrong)}</p>` };
    lastKeyId += 1;
    const secret = () => randomBytes(20).toString('hex');
    const permissions = scopes[query.get('scope') as keyof typeof scopes];
    const keys = { consumerKey: `ck_${secret()}`, consumerSecret: `cs_${secret()}`, permissions };
    const key = grant(keys);
    const body = JSON.stringify({
      key_id: lastKeyId,
      user_id: query.get('user_id'),
      consumer_key: keys.consumerKey,
      consumer_secret: keys.consumerSecret,
      key_permissions: permissions,
    });
    const answer = await post(decodeURIComponent(query.get('callback_url') ?? ''), Buffer.from(body), {
      'User-Agent': `WordPress/7.1; ${home()}`,
      'Content-Type': 'application/json;charset=UTF-8',
    }).catch(() => null);
    if (answer?.status !== 200) {
      key.revoke();
      return {
        status: 401,
        body: '<h1>Error</h1><p>Error: An error occurred in the request and at the time were unable to send the consumer data.</p>',
      };
    }
    return { status: 302, headers: { location: returnUrl(query, '1') }, body: '' };
  }

  return {
    /** null for what is no address of wc-auth. */
    async answer(url: URL): Promise<RestAnswer | null> {
      const verb = /^\/wc-auth\/v1\/(authorize|access_granted)\/?$/.exec(url.pathname)?.[1];
      if (verb === undefined) return null;
      return verb === 'authorize' ? authorize(url) : granted(url);
    },
  };
}

/** Where the merchant goes on: WooCommerce decodes the address once more than it was encoded. */
function returnUrl(query: URLSearchParams, success: string): string {
  const location = new URL(decodeURIComponent(query.get('return_url') ?? ''));
  location.searchParams.set('success', success);
  location.searchParams.set('user_id', query.get('user_id') ?? '');
  return location.href;
}

function whyWrong(query: URLSearchParams): string | null {
  for (const name of ['app_name', 'user_id', 'return_url', 'callback_url', 'scope'])
    if (!query.get(name)) return `Missing parameter ${name}`;
  if (!(query.get('scope') ?? '').match(/^(read|write|read_write)$/))
    return `Invalid scope ${query.get('scope')}`;
  for (const name of ['return_url', 'callback_url'])
    if (!URL.canParse(query.get(name) ?? '')) return `The ${name} is not a valid URL`;
  return query.get('callback_url')?.startsWith('https://') ? null : 'The callback_url needs to be over SSL';
}
