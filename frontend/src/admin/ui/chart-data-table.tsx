import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Accessible name of the table. */
  label: string;
  columns: readonly string[];
  /** Name and formatted figures of each row. */
  rows: readonly (readonly [name: string, ...figures: string[]])[];
}

/** The figures of a chart as a table, which the user can expand. */
export function ChartDataTable(props: Props) {
  const { t } = useTranslation('admin');
  const [isShown, setIsShown] = useState(false);
  const tableId = useId();
  return (
    <>
      <Button aria-expanded={isShown} aria-controls={tableId} onClick={() => setIsShown(!isShown)} sx={{ mt: 3 }}>
        {t(isShown ? 'table.hide' : 'table.show')}
      </Button>
      <Box id={tableId}>{isShown && <ChartTable {...props} />}</Box>
    </>
  );
}

function ChartTable({ label, columns: [rowHeader, ...valueColumns], rows }: Props) {
  return (
    <Box tabIndex={0} role="region" aria-label={label} sx={{ mt: 3, maxHeight: 480, overflow: 'auto' }}>
      <Table size="small" stickyHeader sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <TableHead>
          <TableRow>
            <TableCell>{rowHeader}</TableCell>
            {valueColumns.map((name) => (
              <TableCell key={name} align="right">
                {name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(([name, ...values]) => (
            <TableRow key={name}>
              <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                {name}
              </TableCell>
              {values.map((value, index) => (
                <TableCell key={valueColumns[index]} align="right">
                  {value}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
