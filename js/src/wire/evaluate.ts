/** What a page that supports Trusted Types has. */
interface Policy {
  createScript(code: string): string;
}

let policy: Policy | undefined;

/**
 * Returns the value of an expression of generated code. Throws where the page forbids that.
 *
 * With Trusted Types, a plain string would be reported as a violation even by pages that allow
 * the evaluation of code, so the code has a policy: `packord`.
 */
export function evaluate(expression: string): unknown {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
  if (trustedTypes === undefined) return new Function(`"use strict";return (${expression})`)();
  policy ??= trustedTypes.createPolicy('packord', { createScript: (code) => code });
  // Not `new Function`, which takes trusted code in recent browsers only.
  // biome-ignore lint/security/noGlobalEval: the code is packord's own
  const evaluateScript = globalThis.eval;
  return evaluateScript(policy.createScript(`"use strict";(${expression})`));
}
