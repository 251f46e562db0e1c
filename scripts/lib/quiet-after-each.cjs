const { refusePrinted } = require('./quiet.cjs');

afterEach(refusePrinted);
