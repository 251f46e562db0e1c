cd /work/main
date
npm run openapi 2>&1 | tail -1
npx prettier --write $(git diff --name-only 984f3194 HEAD --diff-filter=d | grep -v "schema.d.ts\|openapi.json") | grep -v unchanged
timeout 300 npx tsc -p backend/tsconfig.json --noEmit
timeout 300 npx tsc -p frontend/tsconfig.json --noEmit
npx eslint .
npm run lint:imports 2>&1 | tail -4
git status --short
date
