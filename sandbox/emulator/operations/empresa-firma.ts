import { z } from 'zod';
import { readSignature, type Signature } from '../../../src/setup/certificates/signature.ts';
import { findCompany } from '../accounts/companies.ts';
import { dayInEcuador } from '../clock.ts';
import type { Call, Operation, Reply } from '../operation.ts';
import { companyFailures, noCompany, refuseFields, savedCompany, showCompany } from './company-answers.ts';
import { base64Text, megabyte, readUpload, rucOnly } from './upload.ts';

const texts = rucOnly.extend({
  password: z
    .string()
    .refine((text) => text !== '', 'es obligatorio y llegó vacío')
    .meta({ minLength: 1, description: 'Opens the .p12.' }),
});
const rules = { file: 'firma_file', base64: 'firma_base64', texts, maxMegabytes: 10 };

/** Uploads a company's electronic signature. */
export const signatureOperation: Operation = {
  id: 'subir_firma_electronica',
  method: 'post',
  path: '/api/empresa/subirfirma',
  tag: 'Empresas',
  access: 'key',
  words: 'empresa',
  inferred: false,
  summary: 'Uploads the electronic signature (.p12, at most 10 MB), as file or as base64, never both',
  json: texts.extend({
    firma_base64: base64Text(rules.maxMegabytes).describe('Base64 of the .p12, at most 10 MB decoded.'),
  }),
  multipart: { fields: texts, files: ['firma_file'], maxBytes: rules.maxMegabytes * megabyte },
  answers: { 200: savedCompany, ...companyFailures },
  handle: upload,
};

async function upload(call: Call): Promise<Reply> {
  const { world, account } = call;
  const read = await readUpload(call, rules);
  if ('errors' in read) return refuseFields(read.errors);
  const { ruc, password } = read.texts;
  const company = findCompany(account.companies, ruc);
  if (!company) return noCompany(ruc);
  const signature = await readSignature(read.bytes, password, world.clock.now());
  if ('blame' in signature) {
    return refuseFields({ [signature.blame === 'password' ? 'password' : read.field]: [signature.sentence] });
  }
  company.firma = signature;
  world.touch(account);
  return showCompany(company, saved(signature, ruc));
}

function saved(signature: Signature, ruc: string): string {
  const until = dayInEcuador(new Date(signature.valido_hasta));
  const other =
    signature.ruc && signature.ruc !== ruc
      ? ` Su certificado nombra otro RUC, ${signature.ruc}; revise que sea la firma de esta empresa.`
      : '';
  return `La firma electrónica de ${signature.titular} quedó guardada; vale hasta el ${until}.${other}`;
}
