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
  /** What the table shows, for those who come to it by the keyboard. */
  label: string;
  columns: readonly string[];
  /** The name of each row and its figures, as they are written. */
  rows: readonly (readonly [name: string, ...figures: string[]])[];
}

/** The figures of a chart as a table, when somebody asks for it. */
export function AsTable(props: Props) {
  const { t } = useTranslation('admin');
  const [shown, setShown] = useState(false);
  const id = useId();
  return (
    <>
      <Button aria-expanded={shown} aria-controls={id} onClick={() => setShown(!shown)} sx={{ mt: 3 }}>
        {t(shown ? 'table.hide' : 'table.show')}
      </Button>
      <Box id={id}>{shown && <Figures {...props} />}</Box>
    </>
  );
}

function Figures({ label, columns: [first, ...others], rows }: Props) {
  return (
    <Box tabIndex={0} role="region" aria-label={label} sx={{ mt: 3, maxHeight: 480, overflow: 'auto' }}>
      <Table size="small" stickyHeader sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <TableHead>
          <TableRow>
            <TableCell>{first}</TableCell>
            {others.map((name) => (
              <TableCell key={name} align="right">
                {name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(([name, ...figures]) => (
            <TableRow key={name}>
              <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                {name}
              </TableCell>
              {figures.map((figure, at) => (
                <TableCell key={others[at]} align="right">
                  {figure}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
