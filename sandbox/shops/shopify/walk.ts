import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Bag, GraphqlError, Operation } from './graphql-types.ts';

/** Answers a document without a schema: takes from the tree what the selections name, nothing checked. */
export function walk({ document, operation, variables }: Operation, root: Bag) {
  const errors: GraphqlError[] = [];
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment] as const),
  );
  const data = select(root, operation.selectionSet, []);
  return { data, ...(errors.length > 0 ? { errors } : {}) };

  function select(value: Bag, set: SelectionSetNode, path: string[]): Bag {
    const result: Bag = {};
    for (const field of fieldsOf(set, value, fragments)) {
      if (!included(field)) continue;
      const name = field.alias?.value ?? field.name.value;
      result[name] = resolve(value, field, [...path, name]);
    }
    return result;
  }

  /** `@include(if: …)`, false where the variable was not given. */
  function included(field: FieldNode): boolean {
    const condition = field.directives?.find(({ name }) => name.value === 'include')?.arguments?.[0]?.value;
    return condition === undefined || valueFromASTUntyped(condition, variables) === true;
  }

  function resolve(value: Bag, field: FieldNode, path: string[]): unknown {
    const found = value[field.name.value];
    try {
      return complete(typeof found === 'function' ? found(argumentsOf(field)) : found, field, path);
    } catch (error) {
      errors.push({ message: String((error as Error).message), path, extensions: { code: 'ACCESS_DENIED' } });
      return null;
    }
  }

  function complete(value: unknown, field: FieldNode, path: string[]): unknown {
    if (value === null || value === undefined) return null;
    if (Array.isArray(value)) return value.map((one, i) => complete(one, field, [...path, String(i)]));
    return field.selectionSet ? select(value as Bag, field.selectionSet, path) : value;
  }

  function argumentsOf(field: FieldNode): Bag {
    const read = (value: ValueNode) => valueFromASTUntyped(value, variables);
    return Object.fromEntries((field.arguments ?? []).map(({ name, value }) => [name.value, read(value)]));
  }
}

/** The fields a selection names for this value; a fragment on another type of a union does not apply. */
function fieldsOf(
  set: SelectionSetNode,
  value: Bag,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    const type = fragment?.typeCondition?.name.value;
    const applies = value.__typename === undefined || type === undefined || value.__typename === type;
    return fragment && applies ? fieldsOf(fragment.selectionSet, value, fragments) : [];
  });
}
