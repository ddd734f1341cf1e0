import { expect, test } from 'vitest';
import { openTokens } from '../../../adapters/shopify/credentials.ts';
import { Connection } from '../../../adapters/shopify/settings.ts';
import { app, context, domain, openPair } from './shop.ts';

test('a token is asked for once, also by those who come in the very moment it arrives', async () => {
  const { shop } = await openPair({ clientId: 'client', clientSecret: 'client-secret-never-shown' }, {});
  const connection = Connection.parse({ app: 'demo', shop: domain, adminUrl: shop.url });
  const tokens: Promise<string>[] = [];
  let waiting = true;
  const clock = {
    /** Looked at first when the token has come: from here on somebody asks at every step the program takes. */
    now() {
      if (waiting) void askAtEveryStep();
      waiting = false;
      return new Date();
    },
  };
  const source = openTokens(app, connection, { ...context(), clock });
  async function askAtEveryStep(): Promise<void> {
    for (let step = 0; step < 20; step += 1) {
      await null;
      tokens.push(source.get());
    }
  }
  const first = await source.get();
  expect(new Set(await Promise.all(tokens))).toEqual(new Set([first]));
  expect(tokens.length).toBeGreaterThan(3);
  expect(shop.requests.map(({ operation }) => operation)).toEqual(['access_token']);
});
