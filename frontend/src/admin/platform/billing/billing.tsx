import Box from '@mui/material/Box';
import { BillingEvents } from './billing-events';
import { BillingFigures } from './billing-figures';
import { BillingNotices } from './billing-notices';

/** What is sold, and what is wrong with it. */
export function Billing() {
  return (
    <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <BillingNotices />
      <BillingFigures />
      <BillingEvents />
    </Box>
  );
}
