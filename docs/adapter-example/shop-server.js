import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** A stand-in of the shop, to try the adapter: the API it calls, and signed webhooks. */
export async function openShopServer({ port = 0, token }) {
  const orders = new Map();
  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://shop');
    const answer = (status, body) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    };
    if (req.headers.authorization !== `Bearer ${token}`) return answer(401);
    const direccion = `http://${req.headers.host}`;
    if (url.pathname === '/api/tienda') return answer(200, { id: 'tienda-1', direccion });
    const [, id, part] = /^\/api\/pedidos\/(\d+)(\/comprobantes)?$/.exec(url.pathname) ?? [];
    if (id === undefined) return url.pathname === '/api/pedidos' ? answer(200, list(url)) : answer(404);
    const order = orders.get(Number(id));
    if (!order) return answer(404);
    if (part) {
      const chunks = await Array.fromAsync(req);
      order.comprobantes = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      return answer(204);
    }
    answer(200, order);
  });

  function list({ searchParams }) {
    const ids = searchParams.get('ids')?.split(',').map(Number);
    const since = searchParams.get('desde') ?? '';
    const found = [...orders.values()].filter((one) =>
      ids ? ids.includes(one.id) : Date.parse(one.actualizado) >= Date.parse(since),
    );
    const page = Number(searchParams.get('pagina') ?? 1);
    const rows = found.sort((a, b) => Date.parse(a.actualizado) - Date.parse(b.actualizado));
    const brief = ({ id, actualizado, reembolsos }) => ({
      id,
      actualizado,
      reembolsos: reembolsos.map((one) => one.id),
    });
    return {
      pedidos: rows.slice((page - 1) * 50, page * 50).map(brief),
      siguiente: rows.length > page * 50 ? page + 1 : null,
      ahora: new Date().toISOString(),
    };
  }

  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    orders,
    /** Keeps an order and notifies the webhook; answers the status of the webhook's endpoint. */
    async notify(order, webhook) {
      orders.set(order.id, order);
      const body = JSON.stringify({ evento: 'pedido.pagado', pedido: order.id, en: order.actualizado });
      const signature = createHmac('sha256', webhook.secret).update(body).digest('hex');
      const { status } = await fetch(webhook.url, {
        method: 'POST',
        headers: { 'x-firma': signature },
        body,
      });
      return status;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The order of `order.json`, sold now. */
export function soldNow(id = 501) {
  const now = new Date().toISOString();
  const order = JSON.parse(readFileSync(new URL('order.json', import.meta.url), 'utf8'));
  return { ...order, id, numero: `#${id}`, creado: now, pagado: now, actualizado: now };
}
