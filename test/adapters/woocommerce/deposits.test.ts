import { describe, expect, test } from 'vitest';
import { depositPlugins } from '../../../adapters/woocommerce/plugins.ts';
import { item, type Metas, outcome, planned, read, refunded, sold } from './sold.ts';

const whole = depositPlugins.filter(({ total }) => total === 'order');
const shirt = () => item('Camiseta', '100.00', 15);
const paid = (status: string, metas: Metas = {}) => sold({ lines: [shirt()], metas, more: { status } });
const accepting = (status: string) => ({ connection: { paidStatuses: ['processing', 'completed', status] } });

describe('an order of the whole price of which a deposit came in', () => {
  test.each(whole)('of $plugin waits for the rest', ({ mark, status, amountMeta }) => {
    for (const amount of ['34.5', 34.5, '34.50']) {
      const order = paid(status, { [mark.meta]: 'yes', [amountMeta]: amount });
      expect(read(order)).toMatchObject({ settlement: 'partially-paid', deposit: { paid: '34.50' } });
      expect(outcome(order)).toBe(
        `wait partially-paid: El pedido aún no está pagado por completo (estado «${status}»): la tienda registra un anticipo de 34.50 de los 115.00. La factura sale por el total cuando se pague el resto y el pedido pase a un estado de paidStatuses.`,
      );
    }
  });

  test.each(whole)('of $plugin also where the status is in paidStatuses', ({ mark, status, amountMeta }) => {
    const order = paid(status, { [mark.meta]: 'yes', [amountMeta]: '34.5' });
    expect(outcome(order, accepting(status))).toMatch(/^wait partially-paid/);
  });

  test.each(whole)('of $plugin is invoiced whole once the rest is paid', ({ mark, amountMeta }) => {
    for (const status of ['processing', 'completed'])
      expect(outcome(paid(status, { [mark.meta]: 'yes', [amountMeta]: '34.5' }))).toBe('emit 115.00');
  });

  describe.each(whole)('of $plugin that ends', ({ mark, amountMeta, restMeta }) => {
    const order = (status: string, rest: string) =>
      paid(status, { [mark.meta]: 'yes', [amountMeta]: '34.5', [restMeta ?? '']: rest });
    const back = (amount: string) => ({ refunds: [{ ...refunded(20, []), amount }] });

    test('without the rest kept the deposit alone, whatever policy.cancelledOrders', () => {
      for (const cancelledOrders of ['hold', 'invoice'] as const) {
        const [sale] = planned(order('cancelled', 'no'), { cancelledOrders });
        expect(sale).toMatchObject({ action: 'hold', code: 'cancelled-kept' });
        expect(sale?.reason).toContain(
          'de los 115.00 de su precio entró solo un anticipo, del que quedan 34.50',
        );
      }
      const [sale] = planned(order('cancelled', 'no'), { cancelledOrders: 'nothing' });
      expect(sale).toMatchObject({ action: 'nothing', code: 'cancelled' });
    });

    test('and gave the deposit back needs no document', () => {
      for (const status of ['cancelled', 'refunded'])
        expect(outcome(order(status, 'no'), back('34.50'))).toMatch(/^nothing fully-refunded/);
      expect(outcome(order('cancelled', 'no'), back('30.00'))).toContain('del que quedan 4.50');
      expect(outcome(order('refunded', 'no'), back('30.00'))).toMatch(/^hold refund-missing/);
    });

    test('after the rest was paid kept the whole price', () => {
      expect(outcome(order('cancelled', 'yes'))).toContain('quedan 115.00 cobrados');
    });
  });

  test('whose plugin does not say how much', () => {
    const [one] = whole;
    const order = paid('partially-paid', { [one?.mark.meta ?? '']: 'yes' });
    expect(outcome(order)).toContain('la tienda registra solo un anticipo de los 115.00');
  });

  test('is none where the buyer paid everything at once', () => {
    for (const { mark } of whole)
      expect(outcome(paid('processing', { [mark.meta]: 'no' }))).toBe('emit 115.00');
  });
});

describe('a deposit that is an order of its own (WooCommerce Deposits)', () => {
  const deposit = () =>
    sold({
      lines: [item('Camiseta', '30.00', 15, { _is_deposit: 'yes', _deposit_full_amount: '115' })],
      more: { status: 'partial-payment' },
    });

  test('is invoiced at what came in, once the store accepts its status as the hold says', () => {
    expect(outcome(deposit())).toBe(
      'hold status-not-accepted: El pedido es el anticipo de 34.50 de una venta de 115.00, cuyo resto será otro pedido, y su estado «partial-payment» no está en paidStatuses. Para facturar los anticipos cuando entran, agregue «partial-payment» a paidStatuses en la conexión de la tienda; si no, su factura sale cuando la tienda lo pase a un estado de paidStatuses.',
    );
    expect(outcome(deposit(), accepting('partial-payment'))).toBe('emit 34.50');
    expect(outcome({ ...deposit(), status: 'completed' })).toBe('emit 34.50');
  });

  test('and the rest by itself', () => {
    const rest = sold({
      lines: [item('Pago 2 de Camiseta', '70.00', 15)],
      more: { id: 1600, parent_id: 1514 },
    });
    expect(outcome(rest)).toBe('emit 80.50');
  });
});

describe('a status that says that a part was paid, of an unknown plugin', () => {
  test.each([
    'partially-paid',
    'partial-payment',
    'partial-paid',
    'pago-parcial',
    'deposit-paid',
    'con-anticipo',
    'abonado',
  ])('«%s»: no hold advises to accept it as paid', (status) => {
    const reason = outcome(paid(status));
    expect(reason).toMatch(/^hold status-not-accepted: .*se pagó solo una parte/);
    expect(reason).toContain(`no agregue «${status}» a paidStatuses`);
    expect(outcome(paid('processing'))).toBe('emit 115.00');
  });

  test.each(['shipped', 'empacado', 'impartial', 'departamento'])('«%s» says nothing of it', (status) => {
    expect(outcome(paid(status))).toContain(`Agregue «${status}» a paidStatuses`);
    expect(outcome(paid(status), accepting(status))).toBe('emit 115.00');
  });
});
