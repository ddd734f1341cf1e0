import { type Bag, bag, bags, connection, orNull } from './values.ts';

export function attributes(pairs: unknown): Bag[] {
  return bags(pairs).map(({ name, value }) => ({
    key: name,
    value: value === null || value === undefined ? null : String(value),
  }));
}

export function address(value: unknown): Bag | null {
  if (!value) return null;
  const { name, company, address1, address2, city, province, country_code, phone } = bag(value);
  const fields = { name, company, address1, address2, city, province, countryCodeV2: country_code, phone };
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, orNull(field)]));
}

export function customer(value: unknown): Bag | null {
  if (!value) return null;
  const { first_name, last_name, email, phone, metafields } = bag(value);
  return {
    firstName: orNull(first_name),
    lastName: orNull(last_name),
    defaultEmailAddress: email ? { emailAddress: email } : null,
    defaultPhoneNumber: phone ? { phoneNumber: phone } : null,
    metafields: ({ keys }: { keys?: string[] }) =>
      connection(
        bags(metafields).filter(
          ({ namespace, key }) => keys === undefined || keys.includes(`${namespace}.${key}`),
        ),
      ),
  };
}

export function purchasingEntity(value: unknown): Bag | null {
  if (!value) return null;
  const { company, tax_registration_id } = bag(value);
  return {
    __typename: 'PurchasingCompany',
    company: { name: company },
    location: { taxSettings: { taxRegistrationId: orNull(tax_registration_id) } },
  };
}
