import { type RequestHandler, Router } from 'express';
import type { World } from '../world.ts';

/** `GET /openapi.json`: the description of the sandbox; built on the first request. */
export function descriptionRoutes(world: World): Router {
  let text: string | undefined;
  const description: RequestHandler = async (_req, res) => {
    const { describeSandbox } = await import('./description.ts');
    text ??= JSON.stringify(describeSandbox(world), null, 2);
    // Viewers of descriptions are pages of another origin.
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.type('json').send(text);
  };
  return Router().get('/openapi.json', description);
}
