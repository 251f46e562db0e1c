cd /work/main
date
timeout 900 npm test -- scripts/test hash-queue schedule.spec test/architecture upgrade.spec file-requests files-tus files/upload files/zip mirrors files-access files/reading item-links links.spec zones-list home accounts-export accounts-deletion direct search personal frontend/src/features/files frontend/src/features/zones e2e/files/file-requests
date
