import { randomBytes } from 'node:crypto';
import { freePort, listenOnLoopback } from '../shops/loopback.ts';
import { openShopPages } from '../shops/page/pages.ts';
import { signIn } from './panel.ts';
import type { Demo } from './run.ts';
import { sendHint } from './scenes.ts';

export interface ShopPage {
  url: string;
  /** Signs in to the panel, once. */
  signInUrl: string;
  /** The ids of the orders placed on it. */
  soldIds: readonly string[];
  close(): Promise<void>;
}

/** The page of the demo's shop, on loopback, which also signs in to the panel. */
export async function openShopPage(demo: Demo): Promise<ShopPage> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ticket = randomBytes(16).toString('base64url');
  let isUsed = false;
  const { app, soldIds } = openShopPages({
    woo: demo.woo,
    origin: () => url,
    panel: () => `${demo.url}/panel`,
    firstId: 1301,
    happened: (_topic, id) => sendHint(demo, id),
  });
  app.get('/panel/:ticket', async (req, res) => {
    if (req.params.ticket !== ticket) return void res.sendStatus(404);
    if (isUsed)
      return void res
        .status(410)
        .type('text')
        .send('Esta dirección ya se usó. Detenga la demostración y ejecútela otra vez.');
    isUsed = true;
    // Cookies of 127.0.0.1 hold for all its ports.
    for (const cookie of await signIn(demo)) res.append('set-cookie', cookie);
    res.redirect(303, `${demo.url}/panel`);
  });
  const { close } = await listenOnLoopback(app, port);
  return { url: `${url}/`, signInUrl: `${url}/panel/${ticket}`, soldIds, close };
}
