// node suspects.mjs ROOT MAP...   after a rename: raw SQL rows and untyped literals that kept or lost a name
import { join, resolve, relative } from 'node:path';
import { ts, loadMaps } from './lib.mjs';
const root = resolve(process.argv[2]);
const { symbols } = await loadMaps(process.argv.slice(3));
const olds = new Map();
for (const [, q, n] of symbols) if (q.includes('.')) { const o = q.split('.').pop(); (olds.get(o) ?? olds.set(o, new Set()).get(o)).add(n); }
for (const project of ['backend', 'frontend']) {
  const cfg = ts.getParsedCommandLineOfConfigFile(join(root, project, 'tsconfig.json'), {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} });
  const program = ts.createProgram(cfg.fileNames, { ...cfg.options, noEmit: true }); const checker = program.getTypeChecker();
  for (const sf of program.getSourceFiles()) {
    if (!sf.fileName.startsWith(root) || sf.fileName.includes('node_modules') || sf.isDeclarationFile) continue;
    if (project === 'frontend' && !sf.fileName.includes('/frontend/')) continue;
    const at = (n) => `${relative(root, sf.fileName)}:${sf.getLineAndCharacterOfPosition(n.getStart()).line + 1}`;
    const visit = (n) => {
      if (ts.isTaggedTemplateExpression(n) && n.typeArguments?.length && /^sql$|raw/.test(n.tag.getText())) {
        const text = n.template.getText();
        const type = checker.getTypeFromTypeNode(n.typeArguments[0]);
        if (!/select \*|returning \*|\.\*/.test(text) && type.flags & ts.TypeFlags.Object && !type.getNumberIndexType()) for (const p of type.getProperties()) {
          const d = p.declarations?.[0]; if (d && d.getSourceFile().fileName.includes('node_modules')) continue;
          if (!new RegExp(`\\b${p.name}\\b`).test(text)) console.log('SQL', at(n), p.name);
        }
      }
      if (ts.isCallExpression(n) && /execute$/.test(n.expression.getText()) && n.typeArguments?.length) {
        const text = n.arguments.map((a) => a.getText()).join(' '); const type = checker.getTypeFromTypeNode(n.typeArguments[0]);
        const t = checker.isArrayType(type) ? checker.getTypeArguments(type)[0] : type;
        if (t && t.flags & ts.TypeFlags.Object) for (const p of t.getProperties()) { const d = p.declarations?.[0]; if (d && d.getSourceFile().fileName.includes('node_modules')) continue; if (!new RegExp(`\\b${p.name}\\b`).test(text) && !/\*/.test(text)) console.log('EXEC', at(n), p.name); }
      }
      if (ts.isObjectLiteralExpression(n)) {
        let outer = n; let spread = false;
        while (ts.isSpreadAssignment(outer.parent) && ts.isObjectLiteralExpression(outer.parent.parent)) { outer = outer.parent.parent; spread = true; }
        const ct = checker.getContextualType(outer);
        for (const p of n.properties) {
          const name = p.name && (ts.isIdentifier(p.name) || ts.isStringLiteral(p.name)) ? p.name.text : null;
          if (!name || !olds.has(name)) continue;
          if (ct && !(ct.flags & ts.TypeFlags.Any)) { const t = checker.getNonNullableType(ct); if (!t.getProperty(name) && [...olds.get(name)].some((x) => t.getProperty(x)) && !t.getStringIndexType()) console.log('SPREAD', at(p), name, [...olds.get(name)].filter((x) => t.getProperty(x)).join('|')); }
        }
      }
      ts.forEachChild(n, visit);
    };
    visit(sf);
  }
}
