import type { RequestListener } from 'node:http';

/** A route as a request meets it. */
export interface Route {
  /** `/webhooks/:connection`. */
  path: string;
  /** Empty where everything below the path is one handler's. */
  methods: readonly string[];
}

interface Listed {
  path: unknown;
  methods?: readonly string[];
  router?: Router;
}
interface Router {
  stack: readonly { rawPath: unknown; route?: unknown; handle: { stack?: unknown } }[];
  listRoutes(): Listed[];
}

/** Every route of the endpoints, read from the app itself: a new endpoint is fuzzed from its first day. */
export function routesOf(handler: RequestListener): Route[] {
  const routes = ofRouter((handler as unknown as { router: Router }).router, '');
  return [...new Map(routes.map((route) => [JSON.stringify(route), route])).values()];
}

function ofRouter(router: Router, under: string): Route[] {
  const listed = router.listRoutes().flatMap(({ path, methods, router: inner }) => {
    if (typeof path !== 'string') return [];
    const whole = join(under, path);
    return inner ? ofRouter(inner, whole) : [{ path: whole, methods: methods ?? [] }];
  });
  // What is mounted under a path of its own without being a router: `/d`.
  const mounted = router.stack.flatMap(({ rawPath, route, handle }) =>
    route || handle.stack || typeof rawPath !== 'string' || rawPath === '/'
      ? []
      : [{ path: `${join(under, rawPath)}/:rest`, methods: [] }],
  );
  return [...listed, ...mounted];
}

const join = (under: string, path: string): string => `${under}${path === '/' ? '' : path}` || '/';
