import { describe, expect, it } from 'vitest';
import type { BuyerPolicy } from '../../src/domain/buyer-policy.ts';
import type { Buyer, IdCandidate } from '../../src/domain/order.ts';
import { identifyBuyer, nameToLookUp, waitsForBuyer } from '../../src/planner/identity-gate.ts';
import { line, order, store } from '../support/orders.ts';

const id = (value: string, type: IdCandidate['type'] = null, source = `meta ${value}`): IdCandidate => ({
  value,
  type,
  source,
});
const nines = '9999999999999';
/** Synthetic, by the check digits: two persons, two companies. */
const cedula = '1710034065';
const otherCedula = '0159999994';
const company = '1790016919001';
const otherCompany = '0992262192001';
const person = `${cedula}001`;

function sale(buyer: Partial<Buyer>, price = '30.00') {
  const made = order({ lines: [line({ price })] });
  return { ...made, buyer: { ...made.buyer, ...buyer } };
}
const policy = (changes: Partial<BuyerPolicy> = {}): BuyerPolicy => ({ ...store.policy, ...changes });
const gate = (buyer: Partial<Buyer>, price = '30.00', changes: Partial<BuyerPolicy> = {}) =>
  identifyBuyer(sale(buyer, price), policy(changes));

describe('two persons in the buyer’s own fields', () => {
  const first = id(cedula, null, 'meta cedula');
  const warned = (other: IdCandidate, buyer: Partial<Buyer> = {}) =>
    gate({ ids: [first, other], ...buyer }).trace.warnings;

  it('are told: the first is on the document', () => {
    expect(gate({ ids: [first, id(otherCedula)] })).toMatchObject({ ok: true, recipient: { id: cedula } });
    expect(warned(id(otherCedula, null, 'meta _billing_ruc'))).toEqual([
      'El pedido trae identificaciones de dos personas, en «meta cedula» y en «meta _billing_ruc»: consta la primera. Confirme con el comprador que es la suya.',
    ]);
  });

  it.each([
    ['the same person’s RUC', id(person)],
    ['the recipient of the parcel', id(otherCedula, null, 'meta _shipping_cedula')],
    ['found by chance', { ...id(otherCedula), elsewhere: true as const }],
    ['a company', id(company)],
    ['a passport', id('AB123456', 'pasaporte')],
  ])('are not two where the other is %s', (_what, other) => {
    expect(warned(other)).toEqual([]);
  });
});

describe('an attribute that no source reads', () => {
  const holding = (attributes: [string, string][], price = '30.00', buyer: Partial<Buyer> = {}) => {
    const made = {
      ...sale({ ids: [], ...buyer }, price),
      name: 'Pedido-0159999994',
      attributes: attributes.map(([name, value]) => ({ name, value })),
    };
    const identity = identifyBuyer(made, policy());
    return [...identity.trace.warnings, identity.ok ? '' : identity.reason].join(' ');
  };

  it.each([
    ['a cédula', 'Dato para facturar', cedula],
    ['a cédula with its label', 'Dato para facturar', `C.I. ${cedula}`],
    ['a RUC', 'Empresa', company],
    ['a RUC that is also an instant of these days', 'Empresa', '1795168000001'],
  ])('and that holds %s is named, below the limit and above it, without its value', (_what, name, value) => {
    for (const price of ['30.00', '300.00']) {
      const told = holding([[name, value]], price);
      expect(told).toContain(`«${name}» un número que puede ser la cédula o el RUC del comprador`);
      expect(told).toContain('idSources');
      expect(told).not.toContain(value);
    }
  });

  it.each<[string, [string, string][], Partial<Buyer>?]>([
    [
      'holds nothing like one',
      [
        ['Regalo', 'Sí, para Ana'],
        ['Talla', '38'],
      ],
    ],
    ['has a wrong digit', [['Código', '1710034066']]],
    ['is the telephone of the order', [['WhatsApp', '0990000002']], { phone: '+593 99 000 0002' }],
    ['may be another telephone', [['WhatsApp', '0990000002']]],
    [
      'is an instant of these days, in seconds or milliseconds',
      [
        ['creado', '1795168804'],
        ['visto', '1795168801004'],
      ],
    ],
    ['belongs to a plugin', [['_codigo_interno', cedula]]],
    ['is the order number', [['pedido', otherCedula]]],
    ['asks for consumidor final', [['id', nines]]],
  ])('is not mentioned where it %s', (_what, attributes, buyer) => {
    const text = holding(
      attributes.map(([name, value]) => [name, value]),
      '30.00',
      buyer,
    );
    expect(text).not.toContain('ese campo no se lee');
  });

  it('is not mentioned where the buyer is named', () => {
    expect(holding([['Dato', person]], '30.00', { ids: [id(cedula)] })).not.toContain('Dato');
  });

  it('is named with two others at most', () => {
    const many = ['a', 'b', 'c', 'd'].map((name): [string, string] => [`campo ${name}`, cedula]);
    expect(holding(many)).toContain('en «campo a», «campo b», «campo c» un número');
  });
});

describe('an identification', () => {
  it('is recognised by its digits, however it was typed', () => {
    for (const typed of [' 171003406-5 ', 'C.I. 1710034065', 'Cédula: 171 003 4065', '１７１００３４０６５'])
      expect(gate({ ids: [id(typed)] })).toMatchObject({ ok: true, recipient: { type: '05', id: cedula } });
    for (const typed of ['RUC 1790016919001', 'R.U.C. No. 179001691-9001', 'EC1790016919001'])
      expect(gate({ ids: [id(typed)], company: 'Andina S.A.' })).toMatchObject({
        recipient: { id: company },
      });
  });

  it('is what its digits say, whatever type the shop states', () => {
    expect(gate({ ids: [id(cedula, 'ruc')] })).toMatchObject({ recipient: { type: '05' } });
    expect(gate({ ids: [id(person, 'cedula')] })).toMatchObject({ recipient: { type: '04' } });
  });

  it('does not refuse a company RUC that follows no algorithm, but warns', () => {
    for (const ruc of ['1793213150001', '0993366721001', '1793189906001'])
      expect(gate({ ids: [id(ruc)], company: 'Nueva S.A.S.' })).toMatchObject({
        ok: true,
        recipient: { type: '04' },
        trace: { warnings: [expect.stringContaining('dígito verificador')] },
      });
    expect(gate({ ids: [id(company)], company: 'Andina S.A.' })).toMatchObject({ trace: { warnings: [] } });
  });

  it('is a passport or foreign only where that type is stated', () => {
    expect(gate({ ids: [id('dk 4471203', 'pasaporte')] })).toMatchObject({
      recipient: { type: '06', id: 'DK4471203' },
    });
    expect(gate({ ids: [id('CC-1020345678', 'exterior')] })).toMatchObject({ recipient: { type: '08' } });
    expect(gate({ ids: [id('DK4471203')] })).toMatchObject({ ok: false, code: 'buyer-id-wrong' });
    expect(gate({ ids: [id('ninguna parte', 'pasaporte')] })).toMatchObject({ code: 'buyer-id-wrong' });
  });

  it('is held when it is present but wrong, even on a small sale, and says how to both', () => {
    const cases: [string, RegExp][] = [
      ['1710034066', /dígito verificador/],
      ['171003406', /tiene 9 dígitos/],
      ['2510034065', /provincia/],
      ['1790016919000', /000/],
      ['1710034066001', /dígito verificador/],
      ['mi cédula', /no es un número/],
    ];
    for (const [typed, why] of cases)
      expect([typed, gate({ ids: [id(typed)] }, '5.00')]).toMatchObject([
        typed,
        {
          ok: false,
          code: 'buyer-id-wrong',
          reason: expect.stringMatching(why),
          buyerReason: expect.stringMatching(why),
        },
      ]);
  });

  it('counts at the first source that has a valid one, wrong ones before it or not', () => {
    const ids = [id('1710034066'), id(otherCedula), id(cedula)];
    expect(gate({ ids })).toMatchObject({
      recipient: { id: otherCedula },
      trace: { candidates: [{ verdict: 'wrong' }, { verdict: 'chosen' }, { verdict: 'other' }] },
    });
  });

  it('keeps where it stood and what became of the others, without their values', () => {
    const ids = [id('-', null, 'a'), id(cedula, 'cedula', 'b'), id('1710034065', null, 'c')];
    const identity = gate({ ids });
    expect(identity.trace).toMatchObject({
      type: 'cedula',
      source: 'b',
      name: 'person',
      finalConsumer: null,
      candidates: [
        { source: 'a', verdict: 'nothing' },
        { source: 'b', stated: 'cedula', verdict: 'chosen' },
        { source: 'c', verdict: 'same' },
      ],
    });
    expect(JSON.stringify(identity.trace)).not.toContain(cedula);
  });
});

describe('a telephone or order number', () => {
  it('is never taken for an identification, with or without prefix, whichever address it belongs to', () => {
    // 0958765432 and 3001234560 would pass modulo 10 and 0593… would pass for a RUC.
    const phones = ['+593 95 876 5432', '02 234 5678', '+57 300 123 4560'];
    for (const typed of [
      '0958765432',
      '593958765432',
      '0593958765432',
      '+593 958765432',
      '022345678',
      '3001234560',
      'Telf. 0958765432',
    ])
      expect([typed, gate({ ids: [id(typed, 'cedula')], phone: null, phones })]).toMatchObject([
        typed,
        { recipient: { type: '07' }, trace: { candidates: [{ verdict: 'phone' }] } },
      ]);
  });

  it('is one by its prefix alone', () => {
    for (const typed of ['+593987654321', '00593987654321', '593 98 765 4321'])
      expect(gate({ ids: [id(typed)], phone: null })).toMatchObject({
        trace: { candidates: [{ verdict: 'phone' }] },
      });
  });

  it('is passed over where it is the order’s own number', () => {
    const ids = [id('1790016919001')];
    for (const changes of [{ id: company }, { name: `#${company}` }, { name: `Pedido-${company}` }])
      expect(identifyBuyer({ ...sale({ ids }), ...changes }, policy())).toMatchObject({
        trace: { candidates: [{ verdict: 'order-number' }] },
      });
  });
});

describe('a cédula or RUC that the buyer gave as the telephone too', () => {
  const verdict = (candidate: IdCandidate, buyer: Partial<Buyer>) =>
    gate({ phone: null, ids: [candidate], ...buyer }).trace.candidates[0]?.verdict;

  it('counts in a field that asks for it, where its digits are no telephone of Ecuador', () => {
    // Guayas begins with 09 as mobile telephones do, but only some numbers after it are theirs.
    for (const typed of [cedula, '171003406-5', 'C.I. 1710034065', '0912345675', company])
      expect([typed, gate({ ids: [id(typed)], phones: [typed], company: 'Andina S.A.' })]).toMatchObject([
        typed,
        {
          ok: true,
          recipient: { id: typed.replace(/\D/g, '') },
          trace: { candidates: [{ verdict: 'chosen' }] },
        },
      ]);
  });

  it('stays a telephone where it may be a mobile one, or one with the prefix of Ecuador', () => {
    for (const typed of ['0958765432', '0939123451', '0961234564', '0991234568', '0593958765432'])
      expect([typed, verdict(id(typed, 'cedula'), { phones: [typed] })]).toEqual([typed, 'phone']);
  });

  it('stays a telephone where its check digit is wrong, or the field is for passports', () => {
    for (const candidate of [id('1710034066', 'cedula'), id(cedula, 'pasaporte'), id(cedula, 'exterior')])
      expect(verdict(candidate, { phone: candidate.value })).toBe('phone');
  });

  it('stays a telephone where another thing was asked for than an identification', () => {
    expect(verdict({ ...id(cedula), elsewhere: true }, { phone: cedula })).toBe('phone');
    expect(verdict({ ...id(cedula), elsewhere: true }, { phone: '0987654321' })).toBe('chosen');
  });

  it('stays a telephone where it was written with another country’s prefix, or the buyer is abroad', () => {
    // A number of New Jersey that passes for a cédula of Galápagos.
    expect(verdict(id('2015551233'), { phones: ['2015551233', '+1 201 555 1233'] })).toBe('phone');
    expect(verdict(id('2015551233'), { phone: '2015551233', country: 'US' })).toBe('phone');
  });
});

describe('what stands for no identification', () => {
  it('is passed over, be it words or zeros', () => {
    for (const typed of ['N/A', 'S/N', 'no tengo', '0', '0000000000', '000-000000-0'])
      expect([typed, gate({ ids: [id(typed, 'cedula')] })]).toMatchObject([
        typed,
        { recipient: { type: '07' }, trace: { candidates: [{ verdict: 'nothing' }] } },
      ]);
  });

  it('may ask for consumidor final in words, in nines or in both', () => {
    for (const typed of ['Consumidor final', 'C.F.', 'CONSUMIDOR FINAL 9999999999999', '9999999999'])
      expect([typed, gate({ ids: [id(typed, 'cedula')] })]).toMatchObject([
        typed,
        { recipient: { type: '07' }, trace: { finalConsumer: { askedByBuyer: true } } },
      ]);
  });
});

describe('RUC and cédula together', () => {
  it('name the company where the buyer gave one, or typed the RUC where a RUC is asked for', () => {
    const asked = { recipient: { type: '04', id: company, name: 'Comercial Andina S.A.' } };
    const named = { company: 'Comercial Andina S.A.' };
    expect(gate({ ids: [id(cedula), id(company)], ...named })).toMatchObject(asked);
    expect(gate({ ids: [id(cedula, 'cedula'), id(company, 'ruc')], ...named })).toMatchObject(asked);
    expect(gate({ ids: [id(cedula), id(person, 'ruc')] })).toMatchObject({
      recipient: { type: '04', id: person, name: 'Carlos Andrade Muñoz' },
    });
  });

  it('leave the first one standing where nobody asked for a company’s factura', () => {
    expect(gate({ ids: [id(cedula), id(person)] })).toMatchObject({ recipient: { type: '05' } });
    expect(gate({ ids: [id(person), id(cedula)] })).toMatchObject({ recipient: { type: '04' } });
  });

  it('do not let a cédula replace the wrong RUC of a company the buyer named', () => {
    const ids = [id('179001691', 'ruc', 'campo RUC'), id(cedula, 'cedula')];
    expect(gate({ ids, company: 'Andina S.A.' })).toMatchObject({
      ok: false,
      code: 'buyer-id-wrong',
      reason: expect.stringContaining('campo RUC'),
    });
    expect(gate({ ids })).toMatchObject({ recipient: { type: '05' } });
    expect(gate({ ids, company: 'N/A' })).toMatchObject({ recipient: { type: '05' } });
  });

  it('hold RUCs of two taxpayers, not two establishments of one', () => {
    expect(gate({ ids: [id(company, null, 'a'), id(otherCompany, null, 'b')] })).toMatchObject({
      ok: false,
      code: 'buyer-id-wrong',
      reason: expect.stringMatching(/«a».*«b»/),
      buyerReason: expect.stringContaining('dos RUC'),
    });
    const branches = [id(company), id('1790016919002')];
    expect(gate({ ids: branches, company: 'Andina S.A.' })).toMatchObject({ recipient: { id: company } });
  });
});

describe('the name', () => {
  it('is the company’s for a company’s RUC and the person’s for everyone else', () => {
    const both = { name: 'Ana Vega', company: 'Ferretería El Clavo' };
    const nameFor = (value: string, type: IdCandidate['type'] = null) => {
      const identity = gate({ ids: [id(value, type)], ...both });
      return identity.ok && identity.recipient.name;
    };
    expect([company, '1760013210001'].map((ruc) => nameFor(ruc))).toEqual([both.company, both.company]);
    expect([cedula, person, '0969999994001'].map((value) => nameFor(value))).toEqual([
      both.name,
      both.name,
      both.name,
    ]);
    expect(nameFor('DK4471203', 'pasaporte')).toBe(both.name);
  });

  it('of a company is held where the order names only a person, and its buyer is asked for it', () => {
    expect(gate({ ids: [id(company)] })).toMatchObject({
      ok: false,
      code: 'buyer-company-missing',
      reason: expect.stringMatching(/razón social.*art\. 19.*nombre de una persona/),
      buyerReason: expect.stringContaining('razón social'),
    });
    expect(waitsForBuyer('buyer-company-missing')).toBe(true);
    const registered = { id: company, name: 'COMERCIAL ANDINA S.A.' };
    const prefer = { buyer: { ...store.policy.buyer, registry: 'when-missing' as const } };
    expect(gate({ ids: [id(company)], registered }, '30.00', prefer)).toMatchObject({
      recipient: { name: registered.name },
    });
  });

  it.each([
    'Andina S.A.',
    'Ferretería Clavo Cía. Ltda.',
    'NOVA S A S',
    'Fundación Ñandú',
    'Conjunto Los Álamos',
  ])('of a company may stand where the person’s belongs: «%s»', (name) => {
    expect(gate({ ids: [id(company)], name })).toMatchObject({
      recipient: { name },
      trace: { name: 'company' },
    });
  });

  it.each(['Ana Compañy', 'María Iglesias', 'Rosa Sa', 'Elsa'])(
    'of a person is none of a company: «%s»',
    (name) => {
      expect(gate({ ids: [id(company)], name })).toMatchObject({ code: 'buyer-company-missing' });
    },
  );

  it('of a company is the buyer’s own where the policy lets it, with a warning', () => {
    const warn = { buyer: { ...store.policy.buyer, companyNameMissing: 'warn' as const } };
    expect(gate({ ids: [id(company)] }, '30.00', warn)).toMatchObject({
      recipient: { name: 'Carlos Andrade Muñoz' },
      trace: { name: 'person', warnings: [expect.stringContaining('razón social')] },
    });
  });

  it('of a company is held where a cédula shows that the name is the person’s', () => {
    expect(gate({ ids: [id(cedula, 'cedula'), id(company, 'ruc')] })).toMatchObject({
      code: 'buyer-company-missing',
      reason: expect.stringContaining('razón social'),
      buyerReason: expect.stringContaining('razón social'),
    });
  });

  it.each([null, ' ', '-', 'x', 'ana@example.ec', '1710034065', 'RUC 1790016919001'])(
    'is none when it is %j',
    (name) => {
      expect(gate({ ids: [id(cedula)], name, company: null })).toMatchObject({ code: 'buyer-name-missing' });
    },
  );
});

describe('the registry’s name', () => {
  const registered = { id: company, name: 'COMERCIAL ANDINA S.A.' };
  const buyer = { ids: [id(cedula, 'cedula'), id(company, 'ruc')], registered };
  const when = (registry: BuyerPolicy['buyer']['registry']) => ({
    buyer: { ...store.policy.buyer, registry },
  });

  it('fills in where the order has none that will do, and only behind its switch', () => {
    expect(gate(buyer, '30.00', when('when-missing'))).toMatchObject({
      recipient: { name: registered.name },
      trace: { name: 'registry' },
    });
    expect(gate(buyer, '30.00', when('off'))).toMatchObject({ code: 'buyer-company-missing' });
  });

  it('goes before the order’s own only where the policy prefers it', () => {
    const own = { ...buyer, company: 'Andina' };
    expect(gate(own, '30.00', when('when-missing'))).toMatchObject({ recipient: { name: 'Andina' } });
    expect(gate(own, '30.00', when('prefer'))).toMatchObject({ recipient: { name: registered.name } });
  });

  it('of another identification changes nothing', () => {
    const other = { ...buyer, company: 'Andina', registered: { id: otherCompany, name: 'OTRA S.A.' } };
    expect(gate(other, '30.00', when('prefer'))).toMatchObject({ recipient: { name: 'Andina' } });
  });

  it('is asked for only where it would be used', () => {
    const wanted = (changes: Partial<Buyer>, registry: BuyerPolicy['buyer']['registry']) =>
      nameToLookUp(sale({ ...buyer, ...changes }), policy(when(registry)));
    expect(wanted({}, 'off')).toBeNull();
    expect(wanted({}, 'when-missing')).toEqual({ type: 'ruc', id: company });
    expect(wanted({ company: 'Andina' }, 'when-missing')).toBeNull();
    expect(wanted({ company: 'Andina' }, 'prefer')).toEqual({ type: 'ruc', id: company });
    expect(wanted({ ids: [id(cedula)] }, 'prefer')).toEqual({ type: 'cedula', id: cedula });
    expect(wanted({ ids: [id('DK4471203', 'pasaporte')] }, 'prefer')).toBeNull();
    expect(wanted({ ids: [] }, 'prefer')).toBeNull();
  });
});

describe('consumidor final', () => {
  it('is allowed up to the limit with tax, and not a cent above', () => {
    // 43.48 + 6.52 = 50.00
    expect(gate({ ids: [] }, '43.48')).toMatchObject({
      recipient: { type: '07', id: nines, name: 'CONSUMIDOR FINAL' },
      trace: { finalConsumer: { decision: 'allowed', askedByBuyer: false, total: '50.00', limit: '50.00' } },
    });
    expect(gate({ ids: [] }, '43.49')).toMatchObject({
      ok: false,
      code: 'buyer-id-missing',
      reason: expect.stringMatching(/50\.01.*50\.00/),
      buyerReason: expect.stringMatching(/50\.01.*50\.00/),
      trace: { finalConsumer: { decision: 'refused' } },
    });
  });

  it('follows the shop’s own limit, and its refusal', () => {
    expect(
      gate({ ids: [] }, '20.00', { finalConsumer: { ...store.policy.finalConsumer, limit: '20.00' } }),
    ).toMatchObject({
      ok: false,
    });
    expect(
      gate({ ids: [] }, '5.00', { finalConsumer: { ...store.policy.finalConsumer, allowed: false } }),
    ).toMatchObject({
      ok: false,
      buyerReason: expect.stringContaining('no factura a consumidor final'),
    });
  });

  it('is recorded as a factura that can never be credited', () => {
    expect(gate({ ids: [] }).trace).toMatchObject({
      finalConsumer: { creditable: false },
      warnings: [expect.stringContaining('nota de crédito')],
    });
  });

  it('is honoured where the buyer asked for it, up to the limit', () => {
    for (const typed of [nines, '9999999999', '99999999999', 'Consumidor Final'])
      expect(gate({ ids: [id(typed)] })).toMatchObject({
        recipient: { type: '07', id: nines },
        trace: { finalConsumer: { askedByBuyer: true } },
      });
    expect(gate({ ids: [id(nines)] }, '60.00')).toMatchObject({
      ok: false,
      code: 'buyer-id-missing',
      reason: expect.stringContaining('pidió consumidor final'),
    });
  });

  it('asked for today goes before the cédula on file, but not before a company’s factura', () => {
    expect(gate({ ids: [id(nines), id(cedula)] })).toMatchObject({ recipient: { type: '07' } });
    expect(gate({ ids: [id(nines), id(cedula)] }, '60.00')).toMatchObject({ recipient: { type: '05' } });
    expect(gate({ ids: [id(cedula), id(nines)] })).toMatchObject({ recipient: { type: '05' } });
    const ruc = [id(nines), id(company, 'ruc')];
    expect(gate({ ids: ruc, company: 'Andina S.A.' })).toMatchObject({ recipient: { type: '04' } });
  });

  it('is not made of words that only say that there is nothing', () => {
    for (const typed of ['-', 'N/A', 'ninguno', 'no tengo', '.'])
      expect(gate({ ids: [id(typed)] })).toMatchObject({
        recipient: { type: '07' },
        trace: { finalConsumer: { askedByBuyer: false }, candidates: [{ verdict: 'nothing' }] },
      });
  });
});

describe('what the explanation says of it', () => {
  it('nines alone above the limit ask for what the order may not be', () => {
    const { trace } = gate({ ids: [id(nines)] }, '60.00');
    expect(trace.candidates).toMatchObject([
      { verdict: 'refused', why: 'pide consumidor final, que este pedido no admite' },
    ]);
  });

  it('a total below nothing is within no limit', () => {
    expect(gate({ ids: [] }, '-5.00').trace.finalConsumer).toBeNull();
    expect(gate({ ids: [] }, '5.00').trace.finalConsumer).toMatchObject({ decision: 'allowed' });
  });
});

describe('a company that has the buyer’s own name', () => {
  const own = { name: 'Carlos Andrade', company: 'CARLOS  ANDRADE' };

  it('is no razón social of a company’s RUC', () => {
    expect(gate({ ids: [id(company)], ...own })).toMatchObject({ ok: false, code: 'buyer-company-missing' });
    const warn = { buyer: { ...store.policy.buyer, companyNameMissing: 'warn' as const } };
    expect(gate({ ids: [id(company)], ...own }, '30.00', warn)).toMatchObject({
      ok: true,
      trace: { name: 'person', warnings: [expect.stringMatching(/no trae su razón social/)] },
    });
  });

  it('is one where it sounds like a company, and a person’s own where the RUC is', () => {
    const firm = { name: 'Andrade Cía. Ltda.', company: 'Andrade Cía. Ltda.' };
    expect(gate({ ids: [id(company)], ...firm })).toMatchObject({ ok: true, recipient: { name: firm.name } });
    expect(gate({ ids: [id(person)], ...own })).toMatchObject({ ok: true, recipient: { name: own.name } });
  });
});
