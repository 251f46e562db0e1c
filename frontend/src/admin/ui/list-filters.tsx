import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { ListExportButton, type ListExport } from './list-export-button';

type Filters = Record<string, string>;

export interface SelectFilter {
  /** Name of the server's filter. */
  name: string;
  label: string;
  /** Label of the empty option. */
  anyLabel: string;
  options: readonly { value: string; label: string }[];
}

export interface DateFilter {
  name: 'from' | 'to';
  label: string;
}

interface Props {
  searchLabel?: string;
  selects?: readonly SelectFilter[];
  dates?: readonly DateFilter[];
  /** The endpoint that exports the filtered list. */
  exportFile?: ListExport;
}

const flexibleWidth = { xs: '1 1 130px', sm: '0 0 auto' } as const;

/** Filters of an admin list, applied by the server. Must be inside react-admin's `ListBase`. */
export function ListFilters({ searchLabel, selects = [], dates = [], exportFile }: Props) {
  const { filterValues, setFilters } = useListContext();
  const filters = filterValues as Filters;
  const [searchText, setSearchText] = useSearchText(filters.q ?? '');
  const setFilter = (name: string, value: string, debounced = false) => {
    const { [name]: _, ...others } = filters;
    setFilters(value ? { ...others, [name]: value } : others, undefined, debounced);
  };
  const changeSearch = (text: string) => {
    setSearchText(text);
    setFilter('q', text.trim(), true);
  };
  // The export uses the current input, even before the debounced list follows.
  const { q: _, ...others } = filters;
  const exportQuery = searchText.trim() ? { ...others, q: searchText.trim() } : others;
  return (
    <Box role="search" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      {searchLabel && <FilterSearch label={searchLabel} searchText={searchText} onSearchTextChange={changeSearch} />}
      {selects.map((select) => (
        <FilterSelect
          key={select.name}
          select={select}
          value={filters[select.name] ?? ''}
          onChange={(value) => setFilter(select.name, value)}
        />
      ))}
      {dates.map((date) => (
        <FilterDate
          key={date.name}
          date={date}
          instant={filters[date.name]}
          onChange={(instant) => setFilter(date.name, instant)}
        />
      ))}
      {exportFile && <ListExportButton {...exportFile} exportQuery={exportQuery} />}
    </Box>
  );
}

interface FilterSelectProps {
  select: SelectFilter;
  value: string;
  onChange: (value: string) => void;
}

function FilterSelect({ select: { label, anyLabel, options }, value, onChange }: FilterSelectProps) {
  return (
    <Select
      native
      value={value}
      onChange={(event) => onChange(event.target.value)}
      inputProps={{ 'aria-label': label }}
      sx={{ flex: flexibleWidth, maxWidth: { sm: 220 } }}
    >
      <option value="">{anyLabel}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}

interface FilterDateProps {
  date: DateFilter;
  instant: string | undefined;
  onChange: (instant: string) => void;
}

function FilterDate({ date: { name, label }, instant, onChange }: FilterDateProps) {
  return (
    <OutlinedInput
      type="date"
      value={toFilterDay(name, instant)}
      onChange={(event) => onChange(toFilterInstant(name, event.target.value))}
      startAdornment={<InputAdornment position="start">{label}</InputAdornment>}
      slotProps={{ input: { 'aria-label': label } }}
      sx={{ flex: flexibleWidth }}
    />
  );
}

/** The typed text, which the list follows after a debounce; reset when the search changes from outside. */
function useSearchText(q: string): [typed: string, type: (text: string) => void] {
  const [searchText, setSearchText] = useState(q);
  const [appliedQuery, setAppliedQuery] = useState(q);
  if (q !== appliedQuery) {
    setAppliedQuery(q);
    if (q !== searchText.trim()) setSearchText(q);
  }
  return [searchText, setSearchText];
}

function FilterSearch({
  label,
  searchText,
  onSearchTextChange,
}: {
  label: string;
  searchText: string;
  onSearchTextChange: (text: string) => void;
}) {
  return (
    <OutlinedInput
      type="search"
      value={searchText}
      onChange={(event) => onSearchTextChange(event.target.value)}
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

const DAY_MS = 24 * 3_600_000;

/** Converts a day to the instant of the filter: the start of the first day, or the end of the last. */
export function toFilterInstant(name: 'from' | 'to', day: string): string {
  const start = new Date(`${day}T00:00:00`);
  if (Number.isNaN(start.getTime())) return '';
  return new Date(start.getTime() + (name === 'to' ? DAY_MS : 0)).toISOString();
}

/** The inverse of `toFilterInstant`. */
export function toFilterDay(name: 'from' | 'to', instant: string | undefined): string {
  if (!instant) return '';
  const date = new Date(new Date(instant).getTime() - (name === 'to' ? DAY_MS : 0));
  const padTwo = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
}
