import { describe, expect, it, onTestFinished } from 'vitest';
import { openProxy } from '../../chaos/proxy.ts';
import { listenOnLoopback, readText } from '../../sandbox/shops/loopback.ts';

/** A server that answers with what it was asked, a proxy before it, and how to ask by way of the proxy. */
async function open() {
  const server = await listenOnLoopback(async (request, response) => {
    response.end(JSON.stringify({ path: request.url, body: await readText(request) }));
  });
  const proxy = await openProxy(server.url, ({ path }) => (path.startsWith('/order') ? 'order' : null));
  onTestFinished(async () => {
    await proxy.close();
    await server.close();
  });
  const ask = async (path: string, url = proxy.url()): Promise<string> => {
    const answer = await fetch(`${url}${path}`);
    return ((await answer.json()) as { path: string }).path;
  };
  return { proxy, ask };
}

describe('the proxy', () => {
  it('passes everything on, bodies too, and says nothing of its own', async () => {
    const { proxy, ask } = await open();
    expect(await ask('/order/1?a=%20b')).toBe('/order/1?a=%20b');
    const posted = await fetch(`${proxy.url()}/emit`, { method: 'POST', body: 'ñ' });
    expect(await posted.json()).toEqual({ path: '/emit', body: 'ñ' });
  });

  it('exchanges two answers of a kind once, and leaves other requests alone', async () => {
    const { proxy, ask } = await open();
    proxy.twist('order', 'swap');
    const both = await Promise.all([ask('/order/1'), ask('/order/2'), ask('/other')]);
    expect(both).toEqual(['/order/2', '/order/1', '/other']);
    expect(await Promise.all([ask('/order/1'), ask('/order/2')])).toEqual(['/order/1', '/order/2']);
    expect([...proxy.struck()]).toEqual([['order swap', 1]]);
  });

  it('gives an answer to the next other question, as a cache that ignores what was asked', async () => {
    const { proxy, ask } = await open();
    await ask('/order/1');
    proxy.twist('order', 'cache');
    expect([await ask('/order/1'), await ask('/order/2'), await ask('/order/2')]).toEqual([
      ...['/order/1', '/order/1', '/order/2'],
    ]);
  });

  it('spoils what an answer says until it is told to stop', async () => {
    const { proxy, ask } = await open();
    const meets = ({ path }: { path: string }) => path === '/order/1';
    proxy.spoil('1', { meets, change: ({ status, body }) => ({ status, body: `<br />${body}` }) });
    await expect(ask('/order/1')).rejects.toThrow(/JSON/);
    expect(await ask('/order/2')).toBe('/order/2');
    proxy.spoil('1', null);
    expect(await ask('/order/1')).toBe('/order/1');
  });

  it('answers once with a 409 of its own after it forwarded the request', async () => {
    const { proxy } = await open();
    proxy.twist('order', 'conflict');
    const status = async () => (await fetch(`${proxy.url()}/order/1`)).status;
    expect([await status(), await status()]).toEqual([409, 200]);
  });

  it('moves: the old address is dead, or answers as well', async () => {
    const { proxy, ask } = await open();
    const first = proxy.url();
    const second = await proxy.move(true);
    expect([await ask('/order/1', first), await ask('/order/1', second)]).toEqual(['/order/1', '/order/1']);
    await proxy.move(false);
    await expect(ask('/order/1', second)).rejects.toThrow();
    expect(await ask('/order/1')).toBe('/order/1');
  });
});
