import SearchRounded from '@mui/icons-material/SearchRounded';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useEffect, useEffectEvent } from 'react';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { useSearchText } from './search-text';

const flexibleWidth = { xs: '1 1 130px', sm: '0 0 auto' } as const;

/** Milliseconds after which the list follows the typed text. */
const SEARCH_DELAY = 500;

/** The value of one of the list's filters, applied by the server, and its setter; an empty value removes the filter. */
function useFilter(source: string) {
  const { filterValues, setFilters } = useListContext();
  const filters = filterValues as Record<string, string>;
  const setFilter = (value: string) => {
    const { [source]: _, ...others } = filters;
    setFilters(value ? { ...others, [source]: value } : others);
  };
  return [filters[source] ?? '', setFilter] as const;
}

/** Searches the list. It follows shortly after the last key, and at once when the input loses the focus. */
export function SearchFilter({ label }: { label: string }) {
  const [q, setQ] = useFilter('q');
  const [searchText, setSearchText] = useSearchText();
  const applySearch = () => {
    if (searchText.trim() !== q) setQ(searchText.trim());
  };
  const applyTypedSearch = useEffectEvent(applySearch);
  useEffect(() => {
    const timer = setTimeout(() => applyTypedSearch(), SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [searchText]);
  return (
    <OutlinedInput
      type="search"
      value={searchText}
      onChange={(event) => setSearchText(event.target.value)}
      onBlur={applySearch}
      placeholder={label}
      startAdornment={
        <InputAdornment position="start">
          <SearchRounded />
        </InputAdornment>
      }
      slotProps={{ input: { 'aria-label': label, maxLength: 200 } }}
      sx={{ flex: { xs: '1 1 100%', sm: '1 1 220px' }, maxWidth: { sm: 360 } }}
    />
  );
}

interface SelectFilterProps {
  /** Name of the server's filter. */
  source: string;
  label: string;
  /** Label of the empty option. */
  emptyText: string;
  choices: readonly { value: string; label: string }[];
}

/** A choice of values; native, so that phones show their own picker. */
export function SelectFilter({ source, label, emptyText, choices }: SelectFilterProps) {
  const [value, setValue] = useFilter(source);
  return (
    <Select
      native
      value={value}
      onChange={(event) => setValue(event.target.value)}
      inputProps={{ 'aria-label': label }}
      sx={{ flex: flexibleWidth, maxWidth: { sm: 220 } }}
    >
      <option value="">{emptyText}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </Select>
  );
}

/** The first and the last day of a period. */
export function PeriodFilter() {
  const { t } = useTranslation('admin');
  return (
    <>
      <DateFilter source="from" label={t('list.from')} />
      <DateFilter source="to" label={t('list.to')} />
    </>
  );
}

function DateFilter({ source, label }: { source: 'from' | 'to'; label: string }) {
  const [instant, setInstant] = useFilter(source);
  return (
    <OutlinedInput
      type="date"
      value={toFilterDay(source, instant)}
      onChange={(event) => setInstant(toFilterInstant(source, event.target.value))}
      startAdornment={<InputAdornment position="start">{label}</InputAdornment>}
      slotProps={{ input: { 'aria-label': label } }}
      sx={{ flex: flexibleWidth }}
    />
  );
}

const DAY_MS = 24 * 3_600_000;

/** Converts a day to the instant of the filter: the start of the first day, or the end of the last. */
export function toFilterInstant(name: 'from' | 'to', day: string): string {
  const start = new Date(`${day}T00:00:00`);
  if (Number.isNaN(start.getTime())) return '';
  return new Date(start.getTime() + (name === 'to' ? DAY_MS : 0)).toISOString();
}

/** The inverse of `toFilterInstant`. */
export function toFilterDay(name: 'from' | 'to', instant: string): string {
  if (!instant) return '';
  const date = new Date(new Date(instant).getTime() - (name === 'to' ? DAY_MS : 0));
  const padTwo = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
}
