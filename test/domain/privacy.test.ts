import { expect, test } from 'vitest';
import { withoutBuyerWords } from '../../src/domain/privacy.ts';

const body = JSON.stringify({
  comprador: { razon_social: 'Lucía Wu Cevallos', identificacion: '1710034065', correo: 'lucia@example.ec' },
  informacion_adicional: [{ nombre: 'Dirección', detalle: 'Av. Solano 4-55' }],
});

test('the words of others name no buyer: his words go with or without accents, ours and codes stay', () => {
  const said = [
    '39 FIRMA INVALIDA',
    "Value 'LUCIA WU CEVALLOS' (1710034065, lucia@example.ec) in Solano",
    '65: 4',
  ];
  expect(withoutBuyerWords(said, [body])).toEqual([
    '39 FIRMA INVALIDA',
    "Value '… WU …' (…, …@….ec) in …",
    '65: 4',
  ]);
  expect(withoutBuyerWords(said, [])).toEqual(said);
  const nobody = JSON.stringify({
    comprador: { razon_social: 'CONSUMIDOR FINAL', identificacion: '9999999999999' },
  });
  expect(withoutBuyerWords(['Consumidor final por más de 50'], [nobody])).toEqual([
    'Consumidor final por más de 50',
  ]);
});
