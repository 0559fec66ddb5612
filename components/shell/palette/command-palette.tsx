"use client";

import { Loader } from "@mantine/core";
import { Spotlight, useSpotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useEffect } from "react";

import { type PageLink, palettePages } from "@/components/shell/pages";
import classes from "@/components/shell/palette/command-palette.module.css";
import { PaletteGroup, type PaletteItem } from "@/components/shell/palette/palette-group";
import { openPalette, paletteStore, searchFor } from "@/components/shell/palette/palette-store";
import { allFound, shownHit } from "@/components/shell/palette/search-hit";
import { OPTIONS_ID, takeTyped } from "@/components/shell/palette/typed-early";
import { useSelection } from "@/components/shell/palette/use-selection";
import { type FoundRecords, useSearch } from "@/components/shell/palette/use-search";
import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { formatCount } from "@/components/ui/text/format";
import { RECORD_NAMES } from "@/components/records/record-names";

const LIST_ID = "palette-results";

/** The pattern of a combobox with a list (ARIA APG). Spotlight's own elements say nothing of it. */
const COMBOBOX = {
  role: "combobox",
  "aria-label": "Search records, or go to a page",
  "aria-controls": OPTIONS_ID,
  "aria-autocomplete": "list",
} as const;

/** The properties of the element that scrolls: as the list of a combobox it need not be a Tab stop. */
const LISTBOX = { viewportProps: { id: OPTIONS_ID, role: "listbox", "aria-label": "Results" } } as const;

/** Each word of the query begins a word of the label: "new con" finds "New contact…". */
function matching(links: readonly PageLink[], query: string): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return links.filter(({ label }) => {
    const own = label.toLowerCase().split(/\s+/);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
}

/** Goes to any page, starts what can be created, and finds any record: by Ctrl+K, or by the button in the header. */
export function CommandPalette({ isAdmin }: { isAdmin: boolean }) {
  // It is closed until it is mounted: only then the focus returns to where it was.
  useEffect(openPalette, []);
  return (
    <Spotlight.Root
      store={paletteStore}
      shortcut={null}
      scrollable
      maxHeight="min(26rem, 60dvh)"
      size="lg"
      // Its head stays where it is while the results change.
      centered={false}
      yOffset="12dvh"
      radius="md"
      overlayProps={{ backgroundOpacity: 0.35, blur: 2 }}
      transitionProps={{ duration: 100, transition: "fade" }}
      attributes={{ content: { "aria-label": "Search or go to" } }}
      classNames={{
        action: classes.action,
        actionsGroup: classes.group,
        actionBody: classes.oneLine,
        actionLabel: classes.oneLine,
        actionDescription: classes.oneLine,
      }}
    >
      <PaletteContent isAdmin={isAdmin} />
    </Spotlight.Root>
  );
}

const NOTHING_FOUND =
  "Nothing found. Records are found by the beginnings of their words, people and companies also by a phone number or " +
  "its last five digits.";

const TOO_SHORT = "Type one more letter to search records.";

function PaletteContent({ isAdmin }: { isAdmin: boolean }) {
  const { query } = useSpotlight(paletteStore);
  const found = useSearch(query);
  const { isSearching, isTooShort, error, retry } = found;
  const { pages, actions } = palettePages(isAdmin);
  const groups = [
    { label: "Records", items: recordItems(found) },
    { label: "Go to", items: matching(pages, query) },
    { label: "Create", items: matching(actions, query) },
  ].filter(({ items }) => items.length > 0);
  const addresses = groups.flatMap(({ items }) => items.map(({ href }) => href));
  const hasResults = addresses.length > 0;
  const { selected, handlers } = useSelection(hasResults);
  const active = addresses[Math.min(selected, addresses.length - 1)];
  const isEmpty = !hasResults && !isSearching && !error;
  return (
    <>
      <Spotlight.Search
        placeholder="Search records, or go to a page"
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
        rightSection={isSearching && <Loader size="xs" aria-hidden />}
        {...COMBOBOX}
        {...handlers}
        onFocus={searchTyped}
        aria-expanded={hasResults}
        aria-activedescendant={active && optionId(active)}
      />
      <Announcement>{announcementOf(found, isEmpty, addresses.length)}</Announcement>
      <Spotlight.ActionsList id={LIST_ID} {...LISTBOX} aria-busy={isSearching}>
        {groups.map(({ label, items }) => (
          <PaletteGroup
            key={label}
            label={label}
            items={items.map((item) => ({ ...item, id: optionId(item.href) }))}
            active={active}
          />
        ))}
      </Spotlight.ActionsList>
      {isEmpty && <Spotlight.Empty>{isTooShort ? TOO_SHORT : NOTHING_FOUND}</Spotlight.Empty>}
      {error !== null && (
        <div className={classes.problem}>
          <ProblemAlert error={error} onRetry={retry} />
        </div>
      )}
    </>
  );
}

function announcementOf({ isSearching, isTooShort }: FoundRecords, isEmpty: boolean, count: number): string {
  if (isSearching) return "";
  if (!isEmpty) return formatCount(count, "result");
  return isTooShort ? TOO_SHORT : "Nothing found";
}

/** The records that were found, and behind those of each kind that has more its list. */
function recordItems({ words, hits, more }: FoundRecords): PaletteItem[] {
  return hits.flatMap((hit, index) => {
    const { object } = hit;
    const isLast = hits[index + 1]?.object !== object;
    const item = { ...shownHit(hit, words), icon: RECORD_NAMES[object].icon };
    return isLast && more.includes(object) ? [item, allFound(object, words)] : [item];
  });
}

/** What was typed before the field was there. */
function searchTyped(): void {
  const typed = takeTyped();
  if (typed !== "") searchFor(typed);
}

function optionId(href: string): string {
  return `palette-${href.slice(1).replaceAll("/", "-")}`;
}
