// Merge patches (RFC 7396): how the server tells what changed in a view.
//
// In a patch null means gone. In a view null and absent mean the same, so what is gone is left as null here: then a
// view that was patched has the fields that its type says.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value with the patch applied; parts that did not change are the same objects as before. */
export function merged(value: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: { [key: string]: Json } = isObject(value) ? { ...value } : {};
  for (const [key, change] of Object.entries(patch)) {
    result[key] = merged(result[key], change);
  }
  return result;
}
