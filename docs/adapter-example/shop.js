import { ShopError } from 'facturapuente';
import { readOrder } from './order.js';

/** The shop's API as one store sees it. Every failure is a ShopError that says whether waiting can help. */
export function openShop(connection, { userAgent, outbound }) {
  async function call(method, path, body) {
    const answer = await ask(method, path, body);
    if (answer.status === 404) return null;
    if (answer.status === 401 || answer.status === 403)
      throw new ShopError(
        'tienda-propia-token',
        { message: 'La tienda no aceptó su «token»: copie el vigente.', status: answer.status },
        { retryable: false, disconnected: true },
      );
    const where = { platform: 'Tienda propia', call: `${method} ${path}` };
    if (answer.status >= 500 || answer.status === 429)
      throw new ShopError('shop-failing', where, { retryable: true });
    if (!answer.ok)
      throw new ShopError(
        'shop-answer',
        { ...where, problem: `estado ${answer.status}` },
        { retryable: false },
      );
    return answer.status === 204 ? null : answer.json();
  }

  async function ask(method, path, body) {
    // A name that leads into a private network is refused with `lookup: outbound.lookup` of an undici Agent.
    if (outbound.refuses(new URL(connection.url).hostname))
      throw new ShopError(
        'tienda-propia-private',
        { message: '«url» lleva a una red privada: corríjala, o escriba esa red en «outbound.allow».' },
        { retryable: false },
      );
    try {
      return await fetch(`${connection.url}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${connection.token}`,
          'content-type': 'application/json',
          'user-agent': userAgent,
        },
        signal: AbortSignal.timeout(20_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      throw new ShopError(
        'shop-unreachable',
        { platform: 'Tienda propia', call: `${method} ${path}`, reason: cause.cause?.code },
        { cause, retryable: true },
      );
    }
  }

  const listed = ({ id, actualizado, reembolsos }) => ({
    id: String(id),
    updatedAt: actualizado,
    refunds: reembolsos.map(String),
  });

  return {
    /** Which shop it is, wherever it is; a shop that moves keeps its orders and documents by it. */
    async identity() {
      const { id, direccion } = await call('GET', '/tienda');
      return { id, addresses: [direccion] };
    },
    async fetchOrder(orderId) {
      const payload = await call('GET', `/pedidos/${orderId}`);
      return payload === null ? null : readOrder(payload, connection);
    },
    /** The whole list each time: written twice, it is the same. */
    async writeBack(orderId, documents, { mayWrite } = {}) {
      await mayWrite?.();
      await call(
        'PUT',
        `/pedidos/${orderId}/comprobantes`,
        documents.map(({ kind, sourceId, state, number, accessKey, pdfUrl, reason }) => ({
          tipo: kind,
          de: sourceId,
          estado: state,
          numero: number,
          clave: accessKey,
          pdf: pdfUrl,
          motivo: reason,
        })),
      );
    },
    /** What no webhook reported is found by this list, the oldest change first. */
    async changedOrders({ since, cursor }) {
      const page = await call('GET', `/pedidos?desde=${since.toISOString()}&pagina=${cursor ?? 1}`);
      return {
        rows: page.pedidos.map(listed),
        next: page.siguiente === null ? null : String(page.siguiente),
        asOf: new Date(page.ahora),
      };
    },
    // A refund changes its order here, so the list above has it.
    newRefunds: async () => ({ rows: [], next: null }),
    async listOrders(ids) {
      if (ids.length === 0) return [];
      return (await call('GET', `/pedidos?ids=${ids.join(',')}`)).pedidos.map(listed);
    },
    async close() {},
  };
}
