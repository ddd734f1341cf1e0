import type { PlatformPage } from '../../../src/domain/platform-page.ts';
import { authPath, begin, callbackPath } from './begin.ts';
import { callback } from './callback.ts';

/** The way in for merchants: the authorization code grant, outside of Shopify's admin. */
export const pages: readonly PlatformPage[] = [
  { method: 'GET', path: authPath, answer: begin },
  { method: 'GET', path: callbackPath, answer: callback },
];
