import { z } from 'zod';
import { word } from '../../src/domain/text.ts';
import type { Client } from './client.ts';

/** Needs no scope itself, so it also tells whether the shop lets the app in at all. */
export const appScopesQuery = `query FacturapuenteAppScopes {
  currentAppInstallation {
    accessScopes {
      handle
    }
  }
}`;

const Answer = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: word })) }),
});

/** What the shop has granted the app now. Throws ShopError, `disconnected` where it does not let us in. */
export async function readAppScopes(client: Client): Promise<string[]> {
  const { currentAppInstallation } = await client.query(
    appScopesQuery,
    {},
    Answer,
    'reading the granted scopes',
  );
  return currentAppInstallation.accessScopes.map(({ handle }) => handle);
}

/** What an app was not granted; writing includes reading. */
export function missingScopes(required: readonly string[], granted: readonly string[]): string[] {
  return required.filter(
    (scope) => !granted.includes(scope) && !granted.includes(scope.replace(/^read_/, 'write_')),
  );
}
