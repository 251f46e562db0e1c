import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { createContext, useContext, type ReactNode } from 'react';
import { DataTable, useRecordContext, type RaRecord } from 'react-admin';
import { useFormat } from '../../../shared/hooks/use-format';
import { TruncatedText } from '../truncated-text';

type CardPart = 'title' | 'badge' | 'line' | 'action';

interface Props<T extends RaRecord> {
  /** Field of the rows; the server sorts by it unless `disableSort` is set. */
  source?: string;
  label?: ReactNode;
  /** Content of the cell; the field's value by default. */
  render?: (row: T) => ReactNode;
  /** Truncates the text in the table to this width, in characters. */
  maxChars?: number;
  align?: 'right';
  disableSort?: boolean;
  /**
   * Where a card shows it: a line of its own by default. `inline` fields share a line. Fields without content are
   * skipped.
   */
  inCard?: CardPart | 'inline' | 'hidden';
  /** Shows the label in the card as well, for values that don't explain themselves. */
  hasCardLabel?: boolean;
  /** Has no column in the table. */
  onlyInCard?: boolean;
}

/** The part of a card that is being rendered; null in a table. */
const CardPartContext = createContext<CardPart | null>(null);

/** A column of a list: a cell on wide screens, a part of the row's card on narrow ones. */
export function Column<T extends RaRecord>(props: Props<T>) {
  const { source, label, maxChars, align, disableSort, inCard = 'line', onlyInCard = false } = props;
  const part = useContext(CardPartContext);
  if (part !== null) return (inCard === 'inline' ? 'line' : inCard) === part ? <CardField {...props} /> : null;
  if (onlyInCard) return null;
  return (
    <DataTable.Col
      source={source}
      label={label}
      align={align}
      disableSort={disableSort}
      render={(row) => {
        const content = getContent(props, row as T);
        if (isEmpty(content)) return inCard === 'action' ? null : '–';
        return maxChars === undefined ? content : <TruncatedText maxChars={maxChars}>{String(content)}</TruncatedText>;
      }}
    />
  );
}

interface DateColumnProps<T extends RaRecord> extends Pick<
  Props<T>,
  'label' | 'disableSort' | 'inCard' | 'hasCardLabel'
> {
  source: Extract<keyof T, string>;
  showTime?: boolean;
  /** Shown if there is no date. */
  emptyText?: string;
}

/** A column with a date or, with `showTime`, a date and time. */
export function DateColumn<T extends RaRecord>({ showTime = false, emptyText, ...props }: DateColumnProps<T>) {
  const format = useFormat();
  const formatDate = showTime ? format.dateTime : format.date;
  return (
    <Column<T>
      {...props}
      render={({ [props.source]: date }) =>
        date ? (
          <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
            {formatDate(date as string)}
          </Box>
        ) : (
          emptyText
        )
      }
    />
  );
}

const isEmpty = (content: ReactNode) => content === null || content === undefined || content === '';

function getContent<T extends RaRecord>({ source, render }: Props<T>, row: T): ReactNode {
  if (render) return render(row);
  return source === undefined ? null : (row as Record<string, ReactNode>)[source];
}

function CardField<T extends RaRecord>(props: Props<T>) {
  const { label, inCard = 'line', hasCardLabel = false } = props;
  const row = useRecordContext<T>()!;
  const content = getContent(props, row);
  if (isEmpty(content)) return null;
  if (inCard !== 'line' && inCard !== 'inline') return content;
  return (
    <Typography component="span" variant="body2" color="textSecondary" className={inCard}>
      {hasCardLabel ? (
        <>
          {label}: {content}
        </>
      ) : (
        content
      )}
    </Typography>
  );
}

/** A row of a list on a narrow screen, made of the same columns as the table. */
export function RowCard({ columns }: { columns: ReactNode }) {
  const renderPart = (part: CardPart) => <CardPartContext value={part}>{columns}</CardPartContext>;
  return (
    <Box sx={{ display: 'flex', gap: 3, p: 4 }}>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', display: 'grid', gap: 1 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
          <Typography component="div" variant="subtitle2" sx={{ minWidth: 0 }}>
            {renderPart('title')}
          </Typography>
          {renderPart('badge')}
        </Box>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            columnGap: 2,
            rowGap: 1,
            '& > .line': { flexBasis: '100%', maxHeight: '6lh', overflow: 'hidden' },
            '& > .inline + .inline::before': { content: '"· "' },
          }}
        >
          {renderPart('line')}
        </Box>
      </Box>
      {renderPart('action')}
    </Box>
  );
}
