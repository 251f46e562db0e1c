import Box from '@mui/material/Box';
import { BillingEvents } from './billing-events';
import { BillingCharts } from './billing-charts';
import { BillingAlerts } from './billing-alerts';

/** Billing figures and problems. */
export function Billing() {
  return (
    <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <BillingAlerts />
      <BillingCharts />
      <BillingEvents />
    </Box>
  );
}
