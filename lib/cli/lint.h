/* Numbers that were typed where they should be woven.
 *
 * Every run of digits in prose is a fault, except
 *   - in headings, code, formulas, between markers, in `<!--typed-->` (constants of the set-up, definitions);
 *   - in the targets of links and images, in autolinks, HTML tags and link definitions;
 *   - the number of a numbered list's item, or of a footnote ("[^1]");
 *   - as a part of a name: after a letter or underscore, or tied by - . @ / to a word of two or more
 * characters that begins with a letter
 *     ("x86", "Philox4x32-10", "GPL-3.0", "recall@10");
 *   - after a word that numbers things ("Theorem 10.5", "eq. 3", "arXiv 1011.1595", "archive 8679") or names
 * a program ("Debian 12", "gcc 12.2"), also in a series after it ("Theorems 10.5 and 10.6");
 *   - a year 1800..2099, in parentheses or before punctuation, after a capitalised name or "et al."
 *     ("Ailon & Chazelle (2009)", "(Achlioptas 2003)"; not "Over 2000 draws");
 *   - anywhere below a heading that begins with References or Sources, up to the next heading of its level.
 */
#ifndef LEM_CLI_LINT_H
#define LEM_CLI_LINT_H

#include "cli/page.h"

void lem_lint_page(const lem_page *page, lem_faults *faults);

#endif
