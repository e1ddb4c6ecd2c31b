# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# How good the plans are, from the rows that quality_benchmark wrote into `folder`. Called by benchmarks/plot.

set terminal svg size 1200,360 font 'sans-serif,13' background 'white'
set style line 1 linewidth 2 pointtype 7 pointsize 0.6 linecolor '#d55e00' # greedy
set style line 2 linewidth 2 pointtype 7 pointsize 0.6 linecolor '#e69f00' # one member
set style line 3 linewidth 2 pointtype 7 pointsize 0.6 linecolor '#0072b2' # best_of_eight
set style line 4 linewidth 2 pointtype 7 pointsize 0.6 linecolor '#009e73' # search
set style line 5 linewidth 2 pointtype 7 pointsize 0.6 linecolor '#666666' # MiniMalloc
set border 3
set tics nomirror
set grid ytics linetype 1 linecolor '#dddddd'
set multiplot layout 1,3

# A command that prints, for each row of a strategy, what awk is to print. There is one row at least, which lies outside
# of the picture, as gnuplot stops where there is none.
rows(file, strategy, what, last) = sprintf("< awk -F, -v strategy='%s' '$4 == strategy { sub(/[.].*/, \"\", $1); print %s } END { print %s }' %s/%s.csv", strategy, what, last, folder, file)

# The last row makes the line go to the right end.
over(strategy) = rows('real', strategy, '100 * ($6 - 1), 1', '50, 0')
set title 'Real models: how many lists'
set xlabel '% over the lower bound, at most'
set xrange [0:50]
set yrange [70:110]
set key bottom right
plot over('search') smooth cumulative with steps linestyle 4 title 'search', \
     over('best_of_eight') smooth cumulative with steps linestyle 3 dashtype 2 title 'best\_of\_eight', \
     over('strip<by_last>') smooth cumulative with steps linestyle 2 title 'strip<by\_last>', \
     over('greedy') smooth cumulative with steps linestyle 1 title 'greedy, TFLM'

bar(strategy) = rows('challenging', strategy, '$1, 100 * ($6 - 1)', '""')
set title 'MiniMalloc lists: % over the lower bound'
unset xlabel
set xrange [*:*]
set yrange [0:60]
set key top right
set style data histograms
set style histogram clustered gap 1
set style fill solid noborder
plot bar('greedy') using 2:xtic(1) linestyle 1 title 'greedy, TFLM', \
     bar('best_of_eight') using 2 linestyle 3 title 'best\_of\_eight', \
     bar('search') using 2 linestyle 4 title 'search'

seconds(strategy) = rows('capacity', strategy, '$1, $10', '"", 1e-9')
set title 'MiniMalloc lists: seconds to 1 MiB'
set logscale y
set format y '10^{%L}'
set xrange [-0.5:10.5]
set yrange [1e-4:1e3]
set key top right horizontal
plot seconds('minimalloc') using 0:2:xtic(1) with points linestyle 5 pointsize 1 title 'MiniMalloc', \
     seconds('search') using 0:2:xtic(1) with points linestyle 4 pointsize 1 title 'search'
unset multiplot
